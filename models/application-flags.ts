import { type InferSchemaType, Schema } from "mongoose";
import { appPriorities, hybridPreferences } from "@/lib/vocabulary/terms";
import { classifyFlags, watched } from "./written";
import { flag, modelOf } from "./parts";

/** Flags of an app, independent of its versions; kept when the app's versions are removed. */
const schema = new Schema(
  {
    _id: { type: Number, required: true },
    uuid: { type: String, required: true },
    uuidKey: { type: String, required: true },
    isAutoApprovedEnabled: flag,
    isAdministratorApp: flag,
    allowUnknownRpcPassthrough: flag,
    /** Null if nobody has set a preference. */
    hybridAppPreference: { type: String, enum: [...hybridPreferences, null], default: null },
    /** Null: NONE, because nobody has set one. */
    priority: { type: String, enum: [...appPriorities, null], default: null },
    isBlacklisted: flag,
    blacklistedTs: { type: Date, default: null },
    blacklistOrigin: { type: String, enum: ["directory", "administrator", null], default: null },
    revision: { type: Number, required: true },
  },
  { collection: "application_flags", strict: "throw", timestamps: true },
);
schema.index({ uuid: 1 }, { unique: true });
schema.index({ uuidKey: 1 });
schema.index({ revision: 1 });
schema.index({ isBlacklisted: 1, uuid: 1 });
schema.index({ isAutoApprovedEnabled: 1, uuid: 1 });
schema.index({ isAdministratorApp: 1, uuid: 1 });
schema.index({ allowUnknownRpcPassthrough: 1, uuid: 1 });

export type ApplicationFlagsRecord = InferSchemaType<typeof schema>;
export const ApplicationFlagsModel = watched(modelOf("ApplicationFlags", schema), classifyFlags);
