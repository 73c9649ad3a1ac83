import mongoose, { type Model } from "mongoose";
import { counterNames } from "@/lib/platform/db/counters";
import { ensureDatabaseFacts, requireKnownSchema } from "@/lib/platform/db/connection/database-facts";
import { toDatabaseError } from "@/lib/platform/db/connection/errors";
import { prepareTrail } from "@/lib/platform/db/prepare-trail";
import { watchDeadWriters } from "@/lib/platform/db/writers";
import "@/models/access/access-token";
import "@/models/app-certificate";
import "@/models/application-flags";
import "@/models/application";
import "@/models/approval-request";
import "@/models/audit-event";
import "@/models/directory/category";
import "@/models/consumer-message";
import { CounterModel } from "@/models/database/counter";
import "@/models/custom-vehicle-data";
import { DatabaseFactsModel } from "@/models/database/database-facts";
import "@/models/directory/directory-task";
import "@/models/ended-session";
import "@/models/directory/feedback";
import "@/models/fleet-batch";
import "@/models/fleet-count";
import "@/models/fleet-release-key";
import "@/models/functional-group";
import "@/models/language";
import "@/models/database/lock";
import "@/models/database/migration";
import "@/models/module-config";
import "@/models/database/moved-item";
import "@/models/permission";
import "@/models/release-freeze";
import "@/models/release";
import "@/models/directory/removed-application";
import { RevisionModel } from "@/models/database/revision";
import "@/models/rollout";
import "@/models/rpc-specification";
import "@/models/scheduled-release";
import "@/models/directory/service-type";
import "@/models/access/sign-in";
import "@/models/directory/webhook-job";

type AnyModel = Pick<Model<unknown>, "collection" | "createCollection" | "createIndexes" | "diffIndexes">;

/** All collections of the policy server. A model that is not imported here has no indexes. */
export const allModels = (): readonly AnyModel[] => Object.values(mongoose.models);

/**
 * Creates missing collections, indexes, revision and counters, at every start: two transactions that create the same
 * document would fail. Only reads existing ones, because a write would wait for a dead transaction. Throws
 * DatabaseRefused before any change, if a newer version has changed the structure or another key sealed the trail.
 */
export async function prepareDatabase(models: readonly AnyModel[] = allModels()): Promise<void> {
  try {
    await requireKnownSchema();
    await watchDeadWriters()();
    await ensureCollections(models);
    await ensureBookkeeping();
    await prepareTrail((await DatabaseFactsModel.findOne({ _id: "database" }).lean())?.auditKeyId ?? null);
  } catch (error) {
    throw toDatabaseError(error);
  }
}

export async function ensureBookkeeping(): Promise<void> {
  await ensureRevision();
  await ensureCounters();
  await unlessThere(ensureDatabaseFacts());
}

export async function ensureCollections(models: readonly AnyModel[] = allModels()): Promise<void> {
  const existing = new Set((await mongoose.connection.listCollections()).map(({ name }) => name));
  const ensure = async (model: AnyModel) => {
    const isNew = !existing.has(model.collection.collectionName);
    if (isNew) await model.createCollection();
    if (isNew || (await model.diffIndexes()).toCreate.length > 0) await model.createIndexes();
  };
  await Promise.all(models.map(ensure));
}

async function ensureRevision(): Promise<void> {
  if ((await RevisionModel.findOne({ _id: "policy" }).lean()) !== null) return;
  const revision = { _id: "policy", value: 0, updatedAt: new Date() };
  await unlessThere(RevisionModel.insertMany([revision]));
}

async function ensureCounters(): Promise<void> {
  const found = await CounterModel.find({ _id: { $in: [...counterNames] } }).lean();
  const existing = new Set(found.map(({ _id }) => _id));
  for (const name of counterNames) {
    if (!existing.has(name)) await unlessThere(CounterModel.insertMany([{ _id: name, value: 0 }]));
  }
}

async function unlessThere(insertion: Promise<unknown>): Promise<void> {
  try {
    await insertion;
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
  }
}

export function isDuplicateKey(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === 11000;
}
