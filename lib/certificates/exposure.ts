import type { Settings } from "@/lib/platform/settings";

/**
 * What strangers may get of what certificates protect (`settings.md` section 7): whether policy tables hold the private key
 * of head units as plain text, and who may fetch the containers of apps; null while certificate generation is off.
 */
export function findExposure({
  certificateGeneration: { enabled },
  moduleConfigEncryptCertBundle,
  appCertificateGet,
}: Pick<Settings, "certificateGeneration" | "moduleConfigEncryptCertBundle" | "appCertificateGet">) {
  return {
    isModuleKeyPublic: enabled && !moduleConfigEncryptCertBundle,
    containers: enabled ? appCertificateGet : null,
  };
}
