import mongoose from "mongoose";
import { inTransaction, type Transaction } from "@/lib/platform/db/transaction";
import { deriveShortUuid } from "@/lib/vocabulary/short-uuid";
import type { ApprovalStatus, RecordStatus } from "@/lib/vocabulary/terms";
import { ApplicationFlagsModel } from "@/models/application-flags";
import { ApplicationModel } from "@/models/application";
import { ConsumerMessageModel } from "@/models/consumer-message";
import { CustomVehicleDataModel } from "@/models/custom-vehicle-data";
import { RpcSpecificationModel } from "@/models/rpc-specification";
import { FunctionalGroupModel } from "@/models/functional-group";
import { ModuleConfigModel } from "@/models/module-config";
import { PermissionModel } from "@/models/permission";
import { testContext } from "@/test/support/database";
import { countsPerPriority } from "@/test/support/module-config";

/** Accesses a model's documents bypassing the gate: for damaged data, and data of earlier versions. */
export function behind(model: { readonly collection: { readonly collectionName: string } }) {
  const { db } = mongoose.connection;
  if (db === undefined) throw new Error("there is no database");
  return db.collection<any>(model.collection.collectionName);
}

/** Stores documents like commands do, but without their rules, for tests of code that reads them. */
export function store<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
  return inTransaction({ ...testContext, isFixture: true }, work);
}

export const noGroupFlags = {
  ...{ is_default: false, is_pre_data_consent: false, is_device: false, is_app_provider_group: false },
  ...{ is_administrator_group: false, is_widget_group: false, is_proprietary_group: false, encryption_required: false },
};

export async function storeGroup(tx: Transaction, values: { name: string; [member: string]: unknown }) {
  const _id = await tx.nextId("functional_groups");
  const rpcs = [{ name: "Show", levels: ["FULL"], parameters: [] }];
  await FunctionalGroupModel.insertMany([{ status: "STAGING", rpcs, ...values, _id }], { session: tx.session });
  return _id;
}

export async function storeMessage(tx: Transaction, category: string, status: RecordStatus, label = "label") {
  const _id = await tx.nextId("consumer_messages");
  const languages = [{ id: await tx.nextId("message_texts"), languageId: "en-us", label }];
  await ConsumerMessageModel.insertMany([{ _id, category, status, languages }], { session: tx.session });
  return _id;
}

export async function storeVehicleData(tx: Transaction, name: string, status: RecordStatus) {
  const [_id = 0, first = 0, second = 0] = await tx.nextIds("custom_vehicle_data", 3);
  const nodes = [
    { id: _id, parentId: null, name, key: "OEM", type: "Struct" },
    { id: first, parentId: _id, name: "outer", key: "O", type: "Struct" },
    { id: second, parentId: first, name: "inner", key: "I", type: "Integer", minValue: 0, maxValue: 9 },
  ];
  await CustomVehicleDataModel.insertMany([{ _id, name, status, nodes }], { session: tx.session });
  return _id;
}

export async function storeRpcSpecification(tx: Transaction) {
  const functions = [{ name: "GetVehicleData", messageType: "response", params: [{ name: "gps", type: "GPSData" }] }];
  const _id = await tx.nextId("rpc_specifications");
  const specification = { _id, version: "8.0.0", storedAt: tx.now, enums: [], structs: [], functions };
  await RpcSpecificationModel.insertMany([specification], { session: tx.session });
  return _id;
}

export async function storeModuleConfig(tx: Transaction, status: RecordStatus, values: Record<string, unknown> = {}) {
  const _id = await tx.nextId("module_configs");
  const config = {
    _id,
    status,
    exchangeAfterXIgnitionCycles: 100,
    exchangeAfterXKilometers: 1800,
    exchangeAfterXDays: 30,
    timeoutAfterXSeconds: 60,
    secondsBetweenRetries: [1, 5],
    endpoints: {
      "0x04": "http://localhost/a",
      queryAppsUrl: "http://localhost/b",
      lock_screen_icon_url: "http://c.example",
    },
    endpointProperties: [{ endpoint: "custom_vehicle_data_mapping_url", name: "a.b$c", value: "1" }],
    notificationsPerMinute: countsPerPriority,
    subtleNotificationsPerMinute: countsPerPriority,
    ...values,
  };
  await ModuleConfigModel.insertMany([config], { session: tx.session });
  return _id;
}

export async function storePermission(tx: Transaction, name: string, type = "RPC", parents: readonly string[] = []) {
  const _id = await tx.nextId("permissions");
  await PermissionModel.insertMany([{ _id, name, type, parents, revision: tx.revision }], { session: tx.session });
}

export async function storeAppVersion(
  tx: Transaction,
  uuid: string,
  approvalStatus: ApprovalStatus,
  values: Record<string, unknown> = {},
) {
  const _id = await tx.nextId("applications");
  const shortUuid = deriveShortUuid(uuid);
  const version = {
    _id,
    uuid,
    shortUuid,
    uuidKey: uuid.toLowerCase(),
    shortKey: shortUuid.toLowerCase(),
    versionId: _id,
    name: `App ${_id}`,
    platform: "ANDROID",
    status: "PRODUCTION",
    approvalStatus,
    defaultHmiLevel: "HMI_NONE",
    displayNames: [`App ${_id}`],
    permissions: [{ key: "Show", hmiLevel: "HMI_FULL" }],
    categories: [{ id: 3, name: "MEDIA", displayName: "Media" }],
    services: [{ name: "MEDIA", displayName: "Media", serviceNames: ["x"], selectedPermissions: ["ButtonPress"] }],
    createdAt: tx.now,
    updatedAt: tx.now,
    storedAt: tx.now,
    ...values,
  };
  await ApplicationModel.updateMany({ uuid, isLatest: true }, { $set: { isLatest: false } }, { session: tx.session });
  await ApplicationModel.insertMany([version], { session: tx.session });
  await storeFlags(tx, uuid, {});
  return _id;
}

export async function storeFlags(tx: Transaction, uuid: string, flags: Record<string, unknown>) {
  const set = { ...flags, revision: tx.revision };
  const { matchedCount } = await ApplicationFlagsModel.updateOne({ uuid }, { $set: set }, { session: tx.session });
  if (matchedCount > 0) return;
  const _id = await tx.nextId("application_flags");
  await ApplicationFlagsModel.insertMany([{ _id, uuid, uuidKey: uuid.toLowerCase(), ...set }], { session: tx.session });
}
