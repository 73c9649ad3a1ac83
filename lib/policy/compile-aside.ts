import { ModuleContainers } from "@/lib/certificates/module/module-containers";
import { packOnce } from "@/lib/certificates/module/pack-containers";
import { buildPolicyOptions } from "@/lib/policy/policy-options";
import { findServices } from "@/lib/policy/services";
import { type CompiledPolicy, compilePolicy } from "@/lib/policy/table/compiled-policy";
import type { PolicySnapshot } from "@/lib/policy/table/snapshot";
import { loadSettings } from "@/lib/platform/settings";
import { type Environment, environments } from "@/lib/vocabulary/terms";

/**
 * Compiles as for vehicles, including the certificate, without putting it in service. Without a runtime, as in tests of
 * single routes, only the settings count. Throws NoModuleConfigError, RangeError.
 */
export async function compileAside(snapshot: PolicySnapshot, environment: Environment): Promise<CompiledPolicy> {
  const runtime = findServices()?.runtime;
  const options = await (runtime?.optionsFor(snapshot) ?? buildPolicyOptions(snapshot, loadSettings(), packAside()));
  const similar = environments.flatMap((one) => runtime?.policy(one) ?? []);
  return compilePolicy(snapshot, environment, options, () => undefined, { similar });
}

function packAside() {
  return packOnce(new ModuleContainers());
}
