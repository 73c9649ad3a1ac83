import mongoose, { Schema, type InferSchemaType, type Model } from "mongoose";

/** A single document: how often anything that reaches a policy table has changed. Every process watches it. */
const schema = new Schema(
  {
    _id: { type: String, required: true },
    value: { type: Number, required: true },
    updatedAt: { type: Date, required: true },
  },
  { collection: "revision", strict: "throw" },
);

export type RevisionRecord = InferSchemaType<typeof schema>;
export const RevisionModel: Model<RevisionRecord> =
  mongoose.models.Revision ?? mongoose.model<RevisionRecord>("Revision", schema);
