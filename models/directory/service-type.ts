import { Schema } from "mongoose";
import { modelOf } from "../parts";

/** App service types and the permissions that can be granted for them. */
const schema = new Schema(
  {
    _id: { type: Number, required: true },
    name: { type: String, required: true },
    displayName: { type: String, required: true },
    /** Names of the linked permissions. */
    permissions: [{ type: String, required: true }],
  },
  { collection: "service_types", strict: "throw", timestamps: true },
);
schema.index({ name: 1 }, { unique: true });

export const ServiceTypeModel = modelOf("ServiceType", schema);
