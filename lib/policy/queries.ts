import "server-only";
import { AppError } from "@/lib/platform/errors";
import type { CompiledPolicy } from "@/lib/policy/table/compiled-policy";
import { whenFollowed } from "@/lib/policy/status";
import type { Environment } from "@/lib/labels/vocabulary";
import { findServices } from "@/lib/policy/services";

/**
 * The policy in service, with everything that this process has written before.
 *
 * @throws AppError 503 while there is none
 */
export async function requirePolicy(environment: Environment): Promise<CompiledPolicy> {
  await whenFollowed();
  const policy = findServices()?.runtime.policy(environment);
  if (!policy) throw new AppError("unavailable");
  return policy;
}
