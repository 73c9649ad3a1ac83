import mongoose, { Schema, type InferSchemaType, type Model } from "mongoose";

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

export type CategoryRecord = InferSchemaType<typeof schema>;
export const CategoryModel: Model<CategoryRecord> =
  mongoose.models.Category ?? mongoose.model<CategoryRecord>("Category", schema);
