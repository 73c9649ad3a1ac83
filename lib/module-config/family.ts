import "server-only";
import { sealPrivateKey } from "@/lib/certificates/key-at-rest";
import { onlyKey } from "@/lib/db/heads";
import { AppError } from "@/lib/errors";
import { findModuleConfigById } from "@/lib/module-config/queries";
import {
  expiredSentence,
  hasExpired,
  type ModuleConfigContent,
  type ModuleConfigRecord,
} from "@/lib/module-config/rules";
import { buildWireModuleConfig } from "@/lib/module-config/wire";
import { type RecordFamily } from "@/lib/records/family";
import { ModuleConfigModel } from "@/models/module-config";

/** The module config as versioned records: there is one, so all share a key, and it is never deleted (`api.md` 13). */
export const moduleConfigFamily: RecordFamily<ModuleConfigContent, ModuleConfigRecord> = {
  name: "moduleConfigs",
  area: "module",
  keyOf: () => onlyKey,
  targetOf: () => "module_config",
  subjectOf: () => "The module config",
  load: async (ids, session) => {
    const found = await Promise.all(ids.map((id) => findModuleConfigById(id, session)));
    return found.filter((config) => config !== null);
  },
  toJson: (record) => Promise.resolve(buildWireModuleConfig(record)),
  number: async (tx, configs) => {
    const ids = await tx.nextIds("module_configs", configs.length);
    return configs.map((config, index) => ({ ...config, id: ids[index] ?? 0 }));
  },
  insert: async ({ session }, configs) => {
    const documents = configs.map(({ id, privateKey, ...members }) => {
      return { ...members, privateKey: sealPrivateKey(privateKey), _id: id };
    });
    await ModuleConfigModel.insertMany(documents, { session, timestamps: false });
  },
  requirePromotable: ({ now }, configs) => {
    if (configs.some((config) => hasExpired(config, now))) throw new AppError("invalid", expiredSentence);
    return Promise.resolve();
  },
};
