import "server-only";
import { z } from "zod";
import { type CertificateState, loadCertificateState } from "@/lib/certificates/generation";
import { queryEnvironment } from "@/lib/platform/zod/query";
import { findModuleConfig } from "@/lib/records/module-config/queries";
import { buildWireModuleConfig, type WireModuleConfig } from "@/lib/records/module-config/wire";
import type { Environment } from "@/lib/vocabulary/terms";

export const moduleConfigPageQuery = z.object({ environment: queryEnvironment("staging") });

export interface ModuleConfigPage {
  readonly shown: WireModuleConfig | null;
  readonly production: WireModuleConfig | null;
  readonly certificate: CertificateState;
}

/** @throws DatabaseUnavailable */
export async function loadModuleConfigPage(environment: Environment): Promise<ModuleConfigPage> {
  const [chosen, production] = await Promise.all([findModuleConfig(environment), findModuleConfig("production")]);
  return {
    shown: chosen && buildWireModuleConfig(chosen),
    production: production && buildWireModuleConfig(production),
    certificate: await loadCertificateState(() => Promise.resolve(chosen?.certificate ?? null)),
  };
}
