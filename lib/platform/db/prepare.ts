import mongoose, { type Model } from "mongoose";
import { counterNames } from "@/lib/platform/db/counters";
import { ensureDatabaseFacts, requireKnownSchema } from "@/lib/platform/db/connection/database-facts";
import { toDatabaseError } from "@/lib/platform/db/connection/errors";
import { watchDeadWriters } from "@/lib/platform/db/writers";
import { AccessTokenModel } from "@/models/access/access-token";
import { AppCertificateModel } from "@/models/app-certificate";
import { ApplicationFlagsModel } from "@/models/application-flags";
import { ApplicationModel } from "@/models/application";
import { ApprovalRequestModel } from "@/models/approval-request";
import { AuditEventModel } from "@/models/audit-event";
import { CategoryModel } from "@/models/directory/category";
import { ConsumerMessageModel } from "@/models/consumer-message";
import { CounterModel } from "@/models/database/counter";
import { CustomVehicleDataModel } from "@/models/custom-vehicle-data";
import { DatabaseFactsModel } from "@/models/database/database-facts";
import { DirectoryTaskModel } from "@/models/directory/directory-task";
import { EndedSessionModel } from "@/models/ended-session";
import { FeedbackModel } from "@/models/directory/feedback";
import { FunctionalGroupModel } from "@/models/functional-group";
import { LanguageModel } from "@/models/language";
import { LockModel } from "@/models/database/lock";
import { MigrationModel } from "@/models/database/migration";
import { ModuleConfigModel } from "@/models/module-config";
import { MovedItemModel } from "@/models/database/moved-item";
import { PermissionModel } from "@/models/permission";
import { ReleaseFreezeModel } from "@/models/release-freeze";
import { ReleaseModel } from "@/models/release";
import { RemovedApplicationModel } from "@/models/directory/removed-application";
import { RevisionModel } from "@/models/database/revision";
import { RpcSpecificationModel } from "@/models/rpc-specification";
import { ScheduledReleaseModel } from "@/models/scheduled-release";
import { ServiceTypeModel } from "@/models/directory/service-type";
import { SignInModel } from "@/models/access/sign-in";
import { WebhookJobModel } from "@/models/directory/webhook-job";

type AnyModel = Pick<Model<unknown>, "collection" | "createCollection" | "createIndexes" | "diffIndexes">;

/** Every collection of the policy server. A model that is missing here has no indexes. */
export const allModels: readonly AnyModel[] = [
  AccessTokenModel,
  SignInModel,
  AppCertificateModel,
  ApplicationFlagsModel,
  ApplicationModel,
  ApprovalRequestModel,
  AuditEventModel,
  CategoryModel,
  ConsumerMessageModel,
  CounterModel,
  CustomVehicleDataModel,
  DatabaseFactsModel,
  DirectoryTaskModel,
  EndedSessionModel,
  FeedbackModel,
  FunctionalGroupModel,
  LanguageModel,
  LockModel,
  MigrationModel,
  ModuleConfigModel,
  MovedItemModel,
  PermissionModel,
  ReleaseFreezeModel,
  ReleaseModel,
  RemovedApplicationModel,
  RevisionModel,
  RpcSpecificationModel,
  ScheduledReleaseModel,
  ServiceTypeModel,
  WebhookJobModel,
];

/**
 * Makes collections, indexes, the revision and counters exist, at every start. Transactions rely on it: two that create
 * the same document would fail. Existing ones are only looked at, as a change would wait for a dead transaction.
 * @throws DatabaseRefused before any change, when a newer version has changed the structure
 */
export async function prepareDatabase(models: readonly AnyModel[] = allModels): Promise<void> {
  try {
    await requireKnownSchema();
    await watchDeadWriters()();
    await ensureCollections(models);
    await ensureBookkeeping();
  } catch (error) {
    throw toDatabaseError(error);
  }
}

/** Makes the revision, the counters and the id of the database exist. */
export async function ensureBookkeeping(): Promise<void> {
  await ensureRevision();
  await ensureCounters();
  await unlessThere(ensureDatabaseFacts());
}

/** Makes collections and indexes exist, and nothing in them. */
export async function ensureCollections(models: readonly AnyModel[] = allModels): Promise<void> {
  const existing = new Set((await mongoose.connection.listCollections()).map(({ name }) => name));
  for (const model of models) {
    if (!existing.has(model.collection.collectionName)) await model.createCollection();
    const { toCreate } = await model.diffIndexes();
    if (toCreate.length > 0) await model.createIndexes();
  }
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

/** A document that another process has inserted first is as good as inserted. */
async function unlessThere(insertion: Promise<unknown>): Promise<void> {
  try {
    await insertion;
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
  }
}

/** Whether a write failed because a document with the same unique value exists. */
export function isDuplicateKey(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === 11000;
}
