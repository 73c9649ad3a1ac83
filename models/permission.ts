import { Schema } from "mongoose";
import { permissionTypes } from "@/lib/vocabulary/terms";
import { modelOf } from "./parts";

const schema = new Schema(
  {
    _id: { type: Number, required: true },
    name: { type: String, required: true },
    type: { type: String, enum: permissionTypes, required: true },
    displayName: { type: String, default: null },
    functionId: { type: Number, default: null },
    /** Names of the permissions this one belongs to, e.g. `GetVehicleData` for `gps`. */
    parents: [{ type: String, required: true }],
    /** False if the app directory no longer reports it; groups with it stay readable. */
    isActive: { type: Boolean, required: true, default: true },
    revision: { type: Number, required: true },
  },
  { collection: "permissions", strict: "throw", timestamps: true },
);
schema.index({ name: 1 }, { unique: true });
schema.index({ type: 1, name: 1 });
schema.index({ parents: 1, name: 1 });
schema.index({ revision: 1 });

export const PermissionModel = modelOf("Permission", schema);
