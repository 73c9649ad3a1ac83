import { Schema } from "mongoose";
import { modelOf } from "../parts";

/** A completed, numbered step of first data or database updates, written in the step's own transaction. */
const schema = new Schema(
  {
    _id: { type: Number, required: true },
    name: { type: String, required: true },
    finishedAt: { type: Date, required: true },
  },
  { collection: "migrations", strict: "throw" },
);

export const MigrationModel = modelOf("Migration", schema);
