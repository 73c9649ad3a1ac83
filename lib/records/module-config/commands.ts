import "server-only";
import { signCertificate } from "@/lib/certificates/describe";
import { readKeyPair } from "@/lib/certificates/worker/key-pair";
import type { Transaction, WriteContext } from "@/lib/platform/db/transaction";
import { AppError } from "@/lib/platform/errors";
import { sealPrivateKey } from "@/lib/certificates/key-at-rest";
import { onlyKey, recordFamilies } from "@/lib/platform/db/heads";
import { findModuleConfig, findModuleConfigById } from "@/lib/records/module-config/queries";
import {
  buildModuleConfigContent,
  decideCertificate,
  expiredSentence,
  hasExpired,
  type ModuleConfigContent,
  type ModuleConfigRecord,
  noCertificate,
} from "@/lib/records/module-config/rules";
import { moduleConfigBody, type ModuleConfigInput } from "@/lib/records/module-config/schema";
import { buildWireContent, buildWireModuleConfig } from "@/lib/records/module-config/wire";
import type { HeadUnitFinding } from "@/lib/policy/head-unit/head-unit-check";
import { saveRecords } from "@/lib/records/store/commands";
import { numberEach, type RecordFamily } from "@/lib/records/store/family";
import { loadSettings } from "@/lib/platform/settings";
import { ModuleConfigModel } from "@/models/module-config";

/** The module config as versioned records of one key, because there is only one. It is never deleted (`api.md` 13). */
export const moduleConfigFamily: RecordFamily<ModuleConfigContent, ModuleConfigRecord> = {
  ...recordFamilies.module_config,
  model: ModuleConfigModel,
  item: "module_config",
  area: "module",
  isPermanent: true,
  ofToday: ["certificate", "privateKey", "expirationTs"],
  keyOf: () => onlyKey,
  targetOf: () => "module_config",
  subjectOf: () => "The module config",
  load: async (ids, session) => {
    const found: ModuleConfigRecord[] = [];
    // Sequential, because operations of a transaction must not run in parallel.
    for (const id of ids) found.push(...[await findModuleConfigById(id, session)].filter((one) => one !== null));
    return found;
  },
  toJson: (record) => Promise.resolve(buildWireModuleConfig(record)),
  toBody: buildWireContent,
  contentOf: async (body, { session }) => {
    const stored = (await findModuleConfig("staging", session)) ?? noCertificate;
    return buildModuleConfigContent(moduleConfigBody.parse(body), stored, loadSettings().publicBaseUrl);
  },
  toComparable: (config) => ({ ...buildWireContent(config), ...signPair(config) }),
  number: (tx, configs) => numberEach(tx, "module_configs", configs),
  seal: ({ privateKey }) => ({ privateKey: sealPrivateKey(privateKey) }),
  requirePromotable: ({ now }, configs) => {
    if (configs.some((config) => hasExpired(config, now))) throw new AppError("invalid", expiredSentence);
    return Promise.resolve();
  },
};

/** Saves a module config (`api.md` 13.3) and returns the findings it introduces. Throws like `saveRecords`. */
export async function saveModuleConfig(
  input: ModuleConfigInput,
  writer: WriteContext,
): Promise<readonly HeadUnitFinding[]> {
  const submitted = input.keep_certificate ? null : requireCertificate(input);
  const edit = async ({ session }: Transaction) => {
    const stored = submitted ?? (await findModuleConfig("staging", session)) ?? noCertificate;
    const content = buildModuleConfigContent(input, stored, loadSettings().publicBaseUrl);
    return [{ content, baseId: input.base_id }];
  };
  return (await saveRecords(moduleConfigFamily, edit, writer)).findings;
}

/** Fingerprints of certificate and private key, so that comparisons show changes without the secrets. */
function signPair({ certificate, privateKey }: ModuleConfigContent) {
  const signs = certificate === null ? null : signCertificate(certificate);
  return {
    certificate: certificate === null ? null : (signs?.certificate ?? "set"),
    private_key: privateKey === null ? null : (signs?.key ?? "set"),
  };
}

function requireCertificate(input: ModuleConfigInput) {
  if (!loadSettings().certificateGeneration.enabled) return noCertificate;
  const decided = decideCertificate(input, readKeyPair, new Date());
  if ("refusal" in decided) throw new AppError("invalid", decided.refusal);
  return decided;
}
