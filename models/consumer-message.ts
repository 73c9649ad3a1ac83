import mongoose, { Schema, type InferSchemaType, type Model } from "mongoose";
import { recordStatuses } from "@/lib/labels/vocabulary";
import { judgeRecords, watched } from "./written";

const text = { type: String, default: null } as const;
const language = new Schema(
  {
    /** Every text has an id of its own, which the API shows. */
    id: { type: Number, required: true },
    languageId: { type: String, required: true },
    tts: text,
    line1: text,
    line2: text,
    textBody: text,
    label: text,
  },
  { _id: false, id: false, strict: "throw" },
);
const schema = new Schema(
  {
    _id: { type: Number, required: true },
    category: { type: String, required: true },
    status: { type: String, enum: recordStatuses, required: true },
    /** The release that wrote a PRODUCTION record (`releases.md` L3). */
    release: { type: Number },
    isDeleted: { type: Boolean, required: true, default: false },
    languages: [language],
  },
  { collection: "consumer_messages", strict: "throw", timestamps: true },
);
/** Records are append-only; both views read the greatest id per category. */
schema.index({ category: 1, _id: -1 });
schema.index({ status: 1, category: 1, _id: -1 });
/** Production as of a release, and what has none yet. */
schema.index({ status: 1, release: 1, category: 1, _id: -1 });

export type ConsumerMessageRecord = InferSchemaType<typeof schema>;
export const ConsumerMessageModel: Model<ConsumerMessageRecord> = watched<ConsumerMessageRecord>(
  mongoose.models.ConsumerMessage ?? mongoose.model<ConsumerMessageRecord>("ConsumerMessage", schema),
  judgeRecords,
);
