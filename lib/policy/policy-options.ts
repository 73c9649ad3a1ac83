import { openPrivateKey } from "@/lib/certificates/key-at-rest";
import {
  buildModuleCertificate,
  type PackCertificate,
  ContainerAwaited,
} from "@/lib/certificates/module/module-containers";
import { log } from "@/lib/platform/log";
import type { PolicyOptions, PolicySnapshot } from "@/lib/policy/table/snapshot";
import type { Environment } from "@/lib/vocabulary/terms";
import type { Settings } from "@/lib/platform/settings";

/**
 * Rules M3, M10. A certificate that cannot be sent in the configured form is left out and logged. Throws
 * ContainerAwaited if another process has not packed it yet: its table must not go into service.
 */
export async function buildPolicyOptions(
  snapshot: PolicySnapshot,
  settings: Settings,
  pack: PackCertificate,
): Promise<PolicyOptions> {
  const { certificateGeneration, moduleConfigEncryptCertBundle: asContainer } = settings;
  const passphrase = certificateGeneration.enabled ? certificateGeneration.passphrase : null;
  const certificateOf = async (environment: Environment): Promise<string | null> => {
    const stored = snapshot.moduleConfigs[environment][0] ?? { certificate: null, privateKey: null };
    try {
      const privateKey = openPrivateKey(stored.privateKey, settings.keyEncryptionKey);
      return await buildModuleCertificate({ ...stored, privateKey }, { passphrase, asContainer }, pack);
    } catch (error) {
      if (error instanceof ContainerAwaited) throw error;
      log.error({ err: error, environment }, "the module certificate cannot be bundled and is left out");
      return null;
    }
  };
  const certificates = { staging: await certificateOf("staging"), production: await certificateOf("production") };
  return { publicBaseUrl: settings.publicBaseUrl, certificates };
}
