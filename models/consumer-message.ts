import mongoose, { Schema, type InferSchemaType, type Model } from "mongoose";
import { recordOf } from "@/lib/labels/members";
import { messageTextFields } from "@/lib/labels/vocabulary";
import { flag, indexViews, part, recordMembers, text } from "./records";
import { judgeRecords, watched } from "./written";

const language = new Schema(
  {
    /** Every text has an id of its own, which the API shows. */
    id: { type: Number, required: true },
    languageId: { type: String, required: true },
    ...recordOf(messageTextFields, () => text),
  },
  part,
);
const schema = new Schema(
  {
    ...recordMembers,
    category: { type: String, required: true },
    isDeleted: flag,
    languages: [language],
  },
  { collection: "consumer_messages", strict: "throw", timestamps: true },
);
indexViews(schema, "category");

export type ConsumerMessageRecord = InferSchemaType<typeof schema>;
export const ConsumerMessageModel: Model<ConsumerMessageRecord> = watched<ConsumerMessageRecord>(
  mongoose.models.ConsumerMessage ?? mongoose.model<ConsumerMessageRecord>("ConsumerMessage", schema),
  judgeRecords,
);
