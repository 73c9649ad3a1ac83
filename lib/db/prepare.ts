import { type Model } from "mongoose";
import { counterNames } from "@/lib/db/counters";
import { toDatabaseError } from "@/lib/db/errors";
import { ApplicationFlagsModel } from "@/models/application-flags";
import { ApplicationModel } from "@/models/application";
import { AuditEventModel } from "@/models/audit-event";
import { CategoryModel } from "@/models/category";
import { ConsumerMessageModel } from "@/models/consumer-message";
import { CounterModel } from "@/models/counter";
import { CustomVehicleDataModel } from "@/models/custom-vehicle-data";
import { FeedbackModel } from "@/models/feedback";
import { FunctionalGroupModel } from "@/models/functional-group";
import { LanguageModel } from "@/models/language";
import { LockModel } from "@/models/lock";
import { MigrationModel } from "@/models/migration";
import { ModuleConfigModel } from "@/models/module-config";
import { PermissionModel } from "@/models/permission";
import { RevisionModel } from "@/models/revision";
import { RpcSpecificationModel } from "@/models/rpc-specification";
import { ServiceTypeModel } from "@/models/service-type";
import { WebhookJobModel } from "@/models/webhook-job";

type AnyModel = Pick<Model<unknown>, "createCollection" | "createIndexes" | "modelName">;

/** Every collection of the policy server. A model that is missing here has no indexes. */
export const allModels: readonly AnyModel[] = [
  ApplicationFlagsModel,
  ApplicationModel,
  AuditEventModel,
  CategoryModel,
  ConsumerMessageModel,
  CounterModel,
  CustomVehicleDataModel,
  FeedbackModel,
  FunctionalGroupModel,
  LanguageModel,
  LockModel,
  MigrationModel,
  ModuleConfigModel,
  PermissionModel,
  RevisionModel,
  RpcSpecificationModel,
  ServiceTypeModel,
  WebhookJobModel,
];

/**
 * Makes collections, indexes, the revision and the counters exist; to be run at every start, by any number of
 * processes at once. Transactions rely on it: two that create the same document at the same time would fail.
 */
export async function prepareDatabase(models: readonly AnyModel[] = allModels): Promise<void> {
  try {
    for (const model of models) {
      await model.createCollection();
      await model.createIndexes();
    }
    await ensureDocument(() =>
      RevisionModel.updateOne(
        { _id: "policy" },
        { $setOnInsert: { value: 0, updatedAt: new Date() } },
        { upsert: true },
      ),
    );
    for (const name of counterNames) {
      await ensureDocument(() =>
        CounterModel.updateOne({ _id: name }, { $setOnInsert: { value: 0 } }, { upsert: true }),
      );
    }
  } catch (error) {
    throw toDatabaseError(error);
  }
}

/** An upsert that another process has won is as good as done. */
async function ensureDocument(upsert: () => PromiseLike<unknown>): Promise<void> {
  try {
    await upsert();
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
  }
}

/** Whether a write failed because a document with the same unique value exists. */
export function isDuplicateKey(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === 11000;
}
