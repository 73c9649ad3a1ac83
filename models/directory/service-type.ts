import { Schema } from "mongoose";
import { modelOf } from "../parts";

const schema = new Schema(
  {
    _id: { type: Number, required: true },
    name: { type: String, required: true },
    displayName: { type: String, required: true },
    permissions: [{ type: String, required: true }],
  },
  { collection: "service_types", strict: "throw", timestamps: true },
);
schema.index({ name: 1 }, { unique: true });

export const ServiceTypeModel = modelOf("ServiceType", schema);
