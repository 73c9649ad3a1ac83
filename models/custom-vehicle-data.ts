import { type InferSchemaType, Schema } from "mongoose";
import { recordOf } from "@/lib/vocabulary/members";
import { limitNames } from "@/lib/vocabulary/terms";
import { flag, indexViews, modelOf, part, recordMembers } from "./parts";
import { classifyRecords, watched } from "./written";

const limit = { type: Number, default: null } as const;
const node = new Schema(
  {
    id: { type: Number, required: true },
    /** Id of the enclosing node; null for the root. */
    parentId: { type: Number, default: null },
    name: { type: String, required: true },
    key: { type: String, required: true },
    type: { type: String, required: true },
    mandatory: flag,
    ...recordOf(limitNames, () => limit),
    array: flag,
  },
  part,
);
const schema = new Schema(
  {
    ...recordMembers,
    name: { type: String, required: true },
    isDeleted: flag,
    /** The whole tree as a flat list: parents before their children, the root first. */
    nodes: [node],
  },
  { collection: "custom_vehicle_data", strict: "throw", timestamps: true },
);
indexViews(schema, "name");
/** Nodes can be found by their own id (`api.md` 14.2). */
schema.index({ "nodes.id": 1 });

export type CustomVehicleDataRecord = InferSchemaType<typeof schema>;
export const CustomVehicleDataModel = watched(modelOf("CustomVehicleData", schema), classifyRecords);
