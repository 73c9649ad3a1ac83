import mongoose, { Schema, type InferSchemaType, type Model } from "mongoose";
import { recordStatuses } from "@/lib/labels/vocabulary";
import { judgeRecords, watched } from "./written";

const limit = { type: Number, default: null } as const;
const node = new Schema(
  {
    id: { type: Number, required: true },
    /** Id of the enclosing node, null for the root. */
    parentId: { type: Number, default: null },
    name: { type: String, required: true },
    key: { type: String, required: true },
    type: { type: String, required: true },
    mandatory: { type: Boolean, required: true, default: false },
    minLength: limit,
    maxLength: limit,
    minSize: limit,
    maxSize: limit,
    minValue: limit,
    maxValue: limit,
    array: { type: Boolean, required: true, default: false },
  },
  { _id: false, id: false, strict: "throw" },
);
const schema = new Schema(
  {
    /** Equal to the id of the root node. */
    _id: { type: Number, required: true },
    /** Name of the root node: the key of the record. */
    name: { type: String, required: true },
    status: { type: String, enum: recordStatuses, required: true },
    /** The release that wrote a PRODUCTION record (`releases.md` L3). */
    release: { type: Number },
    isDeleted: { type: Boolean, required: true, default: false },
    /** The whole tree as a flat list, every parent before its children, the root first. */
    nodes: [node],
  },
  { collection: "custom_vehicle_data", strict: "throw", timestamps: true },
);
/** Records are append-only; both views read the greatest id per name. */
schema.index({ name: 1, _id: -1 });
schema.index({ status: 1, name: 1, _id: -1 });
/** Production as of a release, and what has none yet. */
schema.index({ status: 1, release: 1, name: 1, _id: -1 });
/** A child is found by its own id (`api.md` 14.2). */
schema.index({ "nodes.id": 1 });

export type CustomVehicleDataRecord = InferSchemaType<typeof schema>;
export const CustomVehicleDataModel: Model<CustomVehicleDataRecord> = watched<CustomVehicleDataRecord>(
  mongoose.models.CustomVehicleData ?? mongoose.model<CustomVehicleDataRecord>("CustomVehicleData", schema),
  judgeRecords,
);
