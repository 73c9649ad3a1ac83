import { type InferSchemaType, Schema } from "mongoose";
import { approvalStatuses, hybridPreferences } from "@/lib/labels/vocabulary";
import { flag, modelOf, part } from "../parts";

const names = [{ type: String, required: true }];

const service = new Schema({ name: { type: String, required: true }, selectedPermissions: names }, part);
/** What was decided about one version. */
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
/** What was decided about an app that the directory has deleted; given back when it returns in time (rule D1a). */
const schema = new Schema(
  {
    /** Lower-cased uuid. */
    _id: { type: String, required: true },
    removedAt: { type: Date, required: true },
    isAutoApprovedEnabled: flag,
    isAdministratorApp: flag,
    allowUnknownRpcPassthrough: flag,
    hybridAppPreference: { type: String, enum: [...hybridPreferences, null], default: null },
    /** The app is back and has its flags; versions that follow are still given their decisions. */
    isReturned: flag,
    versions: [version],
  },
  { collection: "removed_applications", strict: "throw" },
);
schema.index({ removedAt: 1 });

export type RemovedApplicationRecord = InferSchemaType<typeof schema>;
export const RemovedApplicationModel = modelOf("RemovedApplication", schema);
