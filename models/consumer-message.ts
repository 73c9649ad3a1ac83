import { type InferSchemaType, Schema } from "mongoose";
import { recordOf } from "@/lib/vocabulary/members";
import { messageTextFields } from "@/lib/vocabulary/terms";
import { flag, indexViews, modelOf, part, recordMembers, text } from "./parts";
import { classifyRecords, watched } from "./written";

const language = new Schema(
  {
    /** Every text has its own id, which the API shows. */
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
export const ConsumerMessageModel = watched(modelOf("ConsumerMessage", schema), classifyRecords);
