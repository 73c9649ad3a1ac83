import mongoose, { Schema, type InferSchemaType, type Model } from "mongoose";
import { groupFlags } from "@/lib/labels/group-flags";
import { recordOf } from "@/lib/labels/members";
import { hmiLevels, recordStatuses } from "@/lib/labels/vocabulary";
import { judgeRecords, watched } from "./written";

const rpc = new Schema(
  {
    name: { type: String, required: true },
    levels: [{ type: String, enum: hmiLevels, required: true }],
    parameters: [{ type: String, required: true }],
  },
  { _id: false, strict: "throw" },
);
const flag = { type: Boolean, required: true, default: false } as const;
const schema = new Schema(
  {
    _id: { type: Number, required: true },
    name: { type: String, required: true },
    status: { type: String, enum: recordStatuses, required: true },
    /** The release that wrote a PRODUCTION record (`releases.md` L3). */
    release: { type: Number },
    isDeleted: flag,
    description: { type: String, default: null },
    /** Category of a consumer message. */
    userConsentPrompt: { type: String, default: null },
    ...recordOf(groupFlags, () => flag),
    /** Only RPCs with at least one level are stored (`api.md` 11.4). */
    rpcs: [rpc],
  },
  { collection: "functional_groups", strict: "throw", timestamps: true },
);
/** Records are append-only; the staging view reads the greatest id per name, the production view that of one status. */
schema.index({ name: 1, _id: -1 });
schema.index({ status: 1, name: 1, _id: -1 });
/** Production as of a release, and what has none yet. */
schema.index({ status: 1, release: 1, name: 1, _id: -1 });

export type FunctionalGroupRecord = InferSchemaType<typeof schema>;
export const FunctionalGroupModel: Model<FunctionalGroupRecord> = watched<FunctionalGroupRecord>(
  mongoose.models.FunctionalGroup ?? mongoose.model<FunctionalGroupRecord>("FunctionalGroup", schema),
  judgeRecords,
);
