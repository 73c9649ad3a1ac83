import { Schema } from "mongoose";
import { modelOf } from "./parts";

/** Counts that were stored, so that none are stored twice (`fleet.md` S5). Kept for a day. */
const schema = new Schema(
  {
    /** Made up by the process that has counted. */
    _id: { type: String, required: true },
    at: { type: Date, required: true },
  },
  { collection: "fleet_batches", strict: "throw" },
);

export const FleetBatchModel = modelOf("FleetBatch", schema);
