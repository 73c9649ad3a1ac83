import mongoose, { Schema, type InferSchemaType, type Model } from "mongoose";

/** A numbered step of first data or migration that is done; written in the step's own transaction. */
const schema = new Schema(
  {
    _id: { type: Number, required: true },
    name: { type: String, required: true },
    finishedAt: { type: Date, required: true },
  },
  { collection: "migrations", strict: "throw" },
);

export type MigrationRecord = InferSchemaType<typeof schema>;
export const MigrationModel: Model<MigrationRecord> =
  mongoose.models.Migration ?? mongoose.model<MigrationRecord>("Migration", schema);
