import type { Settings } from "@/lib/platform/settings";

/** `settings.md` section 7. Null while certificate generation is off. */
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
