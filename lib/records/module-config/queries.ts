import "server-only";
import type { ClientSession } from "mongoose";
import { z } from "zod";
import { openPrivateKey } from "@/lib/certificates/key-at-rest";
import { rawCollection, type RawDocument, requireDatabase } from "@/lib/platform/db/connection/connect";
import { toDatabaseError } from "@/lib/platform/db/connection/errors";
import { log } from "@/lib/platform/log";
import type { ModuleConfigRecord } from "@/lib/records/module-config/rules";
import {
  buildWireModuleConfig,
  buildWireModuleConfigWithKey,
  type WireModuleCertificate,
  type WireModuleConfig,
} from "@/lib/records/module-config/wire";
import { moduleConfigDocument } from "@/lib/policy/documents/documents";
import { followBaseUrl } from "@/lib/policy/table/own-endpoints";
import type { Environment } from "@/lib/vocabulary/terms";
import { loadSettings } from "@/lib/platform/settings";
import { ModuleConfigModel } from "@/models/module-config";

const expiry = z.object({
  expirationTs: z
    .date()
    .nullish()
    .transform((date) => date ?? null),
});

export async function findModuleConfig(
  environment: Environment,
  session?: ClientSession,
): Promise<ModuleConfigRecord | null> {
  return findNewest(environment === "production" ? { status: "PRODUCTION" } : {}, session);
}

export async function findModuleConfigById(id: number, session?: ClientSession): Promise<ModuleConfigRecord | null> {
  return findNewest({ _id: id }, session);
}

/** Loads `GET /module`: one config or none; certificate and key only if the user may read them (`api.md` 13.2). */
export async function loadWireModuleConfigs(
  query: { readonly id?: number | undefined; readonly environment: Environment },
  mayReadKey: boolean,
): Promise<readonly (WireModuleConfig & Partial<WireModuleCertificate>)[]> {
  const { id, environment } = query;
  const config = id === undefined ? await findModuleConfig(environment) : await findModuleConfigById(id);
  if (config === null) return [];
  const isWithKey = mayReadKey && loadSettings().certificateGeneration.enabled;
  if (!isWithKey) return [buildWireModuleConfig(config)];
  return [buildWireModuleConfigWithKey({ ...config, privateKey: findReadableKey(config) })];
}

/** A key that cannot be decrypted is not shown, but stays stored. */
function findReadableKey({ id, privateKey }: ModuleConfigRecord): string | null {
  try {
    return openPrivateKey(privateKey);
  } catch (error) {
    log.error({ err: error, module_config: id }, "the private key of a module config cannot be read");
    return null;
  }
}

async function findNewest(
  filter: { readonly _id?: number; readonly status?: string },
  session?: ClientSession,
): Promise<ModuleConfigRecord | null> {
  await requireDatabase();
  try {
    const [document] = await rawCollection(ModuleConfigModel)
      .find(filter, session === undefined ? {} : { session })
      .sort({ _id: -1 })
      .limit(1)
      .toArray();
    return document === undefined ? null : toRecord(document);
  } catch (error) {
    throw toDatabaseError(error);
  }
}

function toRecord(document: RawDocument): ModuleConfigRecord {
  const config = moduleConfigDocument.safeParse(document);
  const rest = expiry.safeParse(document);
  if (config.success && rest.success) {
    const endpoints = followBaseUrl(config.data, loadSettings().publicBaseUrl);
    return { ...config.data, endpoints, ...rest.data };
  }
  // A plain Error: a zod error would blame the caller for damaged data in the database.
  throw new Error(`module config ${document._id} is damaged`, { cause: config.error ?? rest.error });
}
