import { Schema } from "mongoose";
import { modelOf } from "./parts";

/** How many requests of vehicles were answered in an hour, over all instances (`fleet.md` S5). Absent: none. */
const schema = new Schema(
  {
    /** The beginning of the hour. */
    _id: { type: Date, required: true },
    productionTables: Number,
    productionRefused: Number,
    stagingTables: Number,
    stagingRefused: Number,
  },
  { collection: "vehicle_hours", strict: "throw" },
);

export const VehicleHourModel = modelOf("VehicleHour", schema);
