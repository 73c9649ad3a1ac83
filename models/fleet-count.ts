import { Schema } from "mongoose";
import { modelOf } from "./parts";

/** Counts of one dimension in an hour or a day, over all instances (`fleet.md` S5). Nothing about a single vehicle. */
const schema = new Schema(
  {
    /** Unit, environment, dimension, cell and beginning, so that a range of ids is a range of time. */
    _id: { type: String, required: true },
    at: { type: Date, required: true },
    /** The text that stands hashed in the id; null for the cell of all vehicles. */
    cellValue: { type: String, default: null },
    /** By a hash of the value, because no text of a request may become a field name: the value and its counts. */
    values: { type: Schema.Types.Mixed, default: {} },
  },
  { collection: "fleet_counts", strict: "throw", minimize: false },
);

export const FleetCountModel = modelOf("FleetCount", schema);
