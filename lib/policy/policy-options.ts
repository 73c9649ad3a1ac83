import { buildModuleCertificate, type PackCertificate } from "@/lib/certificates/module-certificate";
import { openPrivateKey } from "@/lib/certificates/key-at-rest";
import { certificateWorker } from "@/lib/certificates/worker-client";
import { log } from "@/lib/log";
import type { PolicyOptions, PolicySnapshot } from "@/lib/policy/snapshot";
import type { Environment } from "@/lib/policy/vocabulary";
import type { Settings } from "@/lib/settings";

/** Containers hold random salt: the same certificate keeps its bytes, so that equal data give equal tables (rule G6). */
let bundles: ReadonlyMap<string, string | null> = new Map();

/**
 * Reads from the settings and the snapshot what the pure compiler takes as options (rules M3, M10). Containers are
 * packed on another thread; one that cannot be packed is left out, logged, and tried again with the next revision.
 *
 * @param pack replaces the certificate worker in tests
 */
export async function buildPolicyOptions(
  snapshot: PolicySnapshot,
  settings: Settings,
  pack: PackCertificate = (pair) => certificateWorker().run("container", pair),
): Promise<PolicyOptions> {
  const { certificateGeneration, moduleConfigEncryptCertBundle: asContainer } = settings;
  const passphrase = certificateGeneration.enabled ? certificateGeneration.passphrase : null;
  // Only what is in use now is remembered: old certificates are never asked for again.
  const current = new Map<string, string | null>();
  const certificateOf = async (environment: Environment): Promise<string | null> => {
    const stored = snapshot.moduleConfigs[environment][0] ?? { certificate: null, privateKey: null };
    const key = JSON.stringify([stored.certificate, stored.privateKey, passphrase, asContainer]);
    try {
      const certificate =
        current.get(key) ??
        bundles.get(key) ??
        (await buildModuleCertificate(
          { ...stored, privateKey: openPrivateKey(stored.privateKey) },
          { passphrase, asContainer },
          pack,
        ));
      current.set(key, certificate);
      return certificate;
    } catch (error) {
      log.error({ err: error, environment }, "the module certificate cannot be bundled and is left out");
      return null;
    }
  };
  const certificates = { staging: await certificateOf("staging"), production: await certificateOf("production") };
  bundles = current;
  return { publicBaseUrl: settings.publicBaseUrl, certificates };
}
