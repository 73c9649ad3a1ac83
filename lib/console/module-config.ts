import "server-only";
import { type CertificateDescription, describeCertificate } from "@/lib/certificates/describe";
import { findModuleConfig } from "@/lib/module-config/queries";
import { buildWireModuleConfig, type WireModuleConfig } from "@/lib/module-config/wire";
import { type Environment } from "@/lib/policy/vocabulary";
import { loadSettings } from "@/lib/settings";

/** What may be shown of the certificate of head units; never a key. */
export type ModuleCertificateState =
  /** Generation is off; these settings are missing or their files cannot be read. */
  | { readonly kind: "off"; readonly missing: readonly string[] }
  | { readonly kind: "ready"; readonly stored: CertificateDescription | null };

export interface ModuleConfigPage {
  /** The record of the chosen view, without certificate and key. */
  readonly shown: WireModuleConfig | null;
  /** What vehicles receive, to compare with. */
  readonly production: WireModuleConfig | null;
  readonly certificate: ModuleCertificateState;
}

/** Loads what the page of the module config shows. Throws DatabaseUnavailable. */
export async function loadModuleConfigPage(environment: Environment): Promise<ModuleConfigPage> {
  const [chosen, production] = await Promise.all([findModuleConfig(environment), findModuleConfig("production")]);
  const { certificateGeneration } = loadSettings();
  return {
    shown: chosen && buildWireModuleConfig(chosen),
    production: production && buildWireModuleConfig(production),
    certificate: certificateGeneration.enabled
      ? { kind: "ready", stored: describeCertificate(chosen?.certificate ?? "") }
      : { kind: "off", missing: certificateGeneration.missing },
  };
}
