import mongoose, { Schema, type InferSchemaType, type Model } from "mongoose";

const schema = new Schema(
  { _id: { type: Number, required: true }, languageId: { type: String, required: true } },
  { collection: "languages", strict: "throw", timestamps: true },
);
schema.index({ languageId: 1 }, { unique: true });

export type LanguageRecord = InferSchemaType<typeof schema>;
export const LanguageModel: Model<LanguageRecord> =
  mongoose.models.Language ?? mongoose.model<LanguageRecord>("Language", schema);
