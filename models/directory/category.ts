import { Schema } from "mongoose";
import { modelOf } from "../parts";

const schema = new Schema(
  {
    _id: { type: Number, required: true },
    name: { type: String, required: true },
    displayName: { type: String, default: null },
  },
  { collection: "categories", strict: "throw", timestamps: true },
);

export const CategoryModel = modelOf("Category", schema);
