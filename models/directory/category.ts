import { Schema } from "mongoose";
import { modelOf } from "../parts";

/** App categories of the directory; the id is the directory's. */
const schema = new Schema(
  {
    _id: { type: Number, required: true },
    /** HMI type that goes into the policy table, e.g. MEDIA. */
    name: { type: String, required: true },
    displayName: { type: String, default: null },
  },
  { collection: "categories", strict: "throw", timestamps: true },
);

export const CategoryModel = modelOf("Category", schema);
