import { buildModuleCertificate } from "@/lib/certificates/module-certificate";
import { log } from "@/lib/log";
import type { PolicyOptions, PolicySnapshot } from "@/lib/policy/snapshot";
import { environments, type Environment } from "@/lib/policy/vocabulary";
import type { Settings } from "@/lib/settings";

/** Containers hold random salt: the same certificate keeps its bytes, so that equal data give equal tables (rule G6). */
const bundles = new Map<string, string | null>();

/** Reads from the settings and the snapshot what the pure compiler takes as options (rules M3, M10). */
export function buildPolicyOptions(snapshot: PolicySnapshot, settings: Settings): PolicyOptions {
  const { certificateGeneration, moduleConfigEncryptCertBundle } = settings;
  const passphrase = certificateGeneration.enabled ? certificateGeneration.passphrase : null;
  const certificateOf = (environment: Environment): string | null => {
    const stored = snapshot.moduleConfigs[environment][0] ?? { certificate: null, privateKey: null };
    const key = JSON.stringify([stored.certificate, stored.privateKey]);
    const known = bundles.get(key);
    if (known !== undefined) return known;
    const fresh = buildModuleCertificate(stored, { passphrase, asContainer: moduleConfigEncryptCertBundle }, (cause) =>
      log.error({ err: cause, environment }, "the module certificate cannot be bundled and is left out"),
    );
    bundles.set(key, fresh);
    return fresh;
  };
  const certificates = { staging: certificateOf("staging"), production: certificateOf("production") };
  // Old certificates are never asked for again.
  const current = new Set(environments.map((environment) => certificates[environment]));
  for (const [key, value] of bundles) if (!current.has(value)) bundles.delete(key);
  return { publicBaseUrl: settings.publicBaseUrl, certificates };
}
