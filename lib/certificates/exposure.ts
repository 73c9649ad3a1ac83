import type { Settings } from "@/lib/platform/settings";

/** What strangers may get of what certificates protect (`settings.md` section 7). */
export interface Exposure {
  /** Policy tables, which everybody may ask for, hold the private key of head units as plain text. */
  readonly isModuleKeyPublic: boolean;
  /** Who may fetch the containers of apps, all of which one passphrase opens; null while certificate generation is off. */
  readonly containers: Settings["appCertificateGet"] | null;
}

export function findExposure({
  certificateGeneration: { enabled },
  moduleConfigEncryptCertBundle,
  appCertificateGet,
}: Pick<Settings, "certificateGeneration" | "moduleConfigEncryptCertBundle" | "appCertificateGet">): Exposure {
  return {
    isModuleKeyPublic: enabled && !moduleConfigEncryptCertBundle,
    containers: enabled ? appCertificateGet : null,
  };
}
