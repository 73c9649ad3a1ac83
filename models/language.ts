import { Schema } from "mongoose";
import { modelOf } from "./parts";

const schema = new Schema(
  { _id: { type: Number, required: true }, languageId: { type: String, required: true } },
  { collection: "languages", strict: "throw", timestamps: true },
);
schema.index({ languageId: 1 }, { unique: true });

export const LanguageModel = modelOf("Language", schema);
