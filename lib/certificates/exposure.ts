import type { Settings } from "@/lib/platform/settings";

/**
 * How exposed keys are (`settings.md` section 7): whether policy tables contain the head units' private key as plain
 * text, and who can fetch the containers of apps; null while certificate generation is off.
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
