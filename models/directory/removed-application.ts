import { type InferSchemaType, Schema } from "mongoose";
import { appPriorities, approvalStatuses, hybridPreferences } from "@/lib/vocabulary/terms";
import { flag, modelOf, part } from "../parts";

const names = [{ type: String, required: true }];

const service = new Schema({ name: { type: String, required: true }, selectedPermissions: names }, part);
const version = new Schema(
  {
    versionId: { type: Number, default: null },
    approvalStatus: { type: String, enum: approvalStatuses, required: true },
    denialMessage: { type: String, default: null },
    encryptionRequired: flag,
    groupGrants: names,
    services: [service],
  },
  part,
);
/** The decisions about an app that the app directory has deleted, restored if it returns in time. */
const schema = new Schema(
  {
    _id: { type: String, required: true },
    removedAt: { type: Date, required: true },
    isAutoApprovedEnabled: flag,
    isAdministratorApp: flag,
    allowUnknownRpcPassthrough: flag,
    hybridAppPreference: { type: String, enum: [...hybridPreferences, null], default: null },
    priority: { type: String, enum: [...appPriorities, null], default: null },
    /** The app is back with its flags; later versions still get their decisions back. */
    isReturned: flag,
    versions: [version],
  },
  { collection: "removed_applications", strict: "throw" },
);
schema.index({ removedAt: 1 });

export type RemovedApplicationRecord = InferSchemaType<typeof schema>;
export const RemovedApplicationModel = modelOf("RemovedApplication", schema);
