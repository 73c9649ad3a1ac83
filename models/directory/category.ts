import { Schema } from "mongoose";
import { modelOf } from "../parts";

/** App categories with the ids of the app directory. */
const schema = new Schema(
  {
    _id: { type: Number, required: true },
    /** HMI type in the policy table, e.g. MEDIA. */
    name: { type: String, required: true },
    displayName: { type: String, default: null },
  },
  { collection: "categories", strict: "throw", timestamps: true },
);

export const CategoryModel = modelOf("Category", schema);
