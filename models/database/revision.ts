import { Schema } from "mongoose";
import { modelOf } from "../parts";

/** A single document that counts changes affecting policy tables. Every process watches it. */
const schema = new Schema(
  {
    _id: { type: String, required: true },
    value: { type: Number, required: true },
    updatedAt: { type: Date, required: true },
  },
  { collection: "revision", strict: "throw" },
);

export const RevisionModel = modelOf("Revision", schema);
