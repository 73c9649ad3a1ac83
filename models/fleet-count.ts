import { Schema } from "mongoose";
import { modelOf } from "./parts";

/**
 * Counts of one dimension in an hour or a day, over all instances (`fleet.md` S5). Nothing about a single vehicle.
 *
 * Besides the members below, it has two kinds of fields by a hash of the value, because no text of a request may become a
 * field's name: `v<hash>` is the value, `v<hash>_<counter>` a count. Not one level deeper: the embedded database only
 * increases whole fields.
 */
const schema = new Schema(
  {
    /** Unit, environment, dimension, cell and beginning, so that a range of ids is a range of time. */
    _id: { type: String, required: true },
    at: { type: Date, required: true },
    /** The text that stands hashed in the id; null for the cell of all vehicles. */
    cellValue: { type: String, default: null },
  },
  { collection: "fleet_counts", strict: false, minimize: false },
);

export const FleetCountModel = modelOf("FleetCount", schema);
