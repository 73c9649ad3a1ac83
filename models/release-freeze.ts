import mongoose, { Schema, type InferSchemaType, type Model } from "mongoose";

/** The window in which nothing is published (`releases.md` L14): one document, or none. */
const schema = new Schema(
  {
    _id: { type: String, required: true },
    from: { type: Date, required: true },
    to: { type: Date, required: true },
    reason: { type: String, required: true },
  },
  { collection: "release_freezes", strict: "throw" },
);

export type ReleaseFreezeRecord = InferSchemaType<typeof schema>;
export const ReleaseFreezeModel: Model<ReleaseFreezeRecord> =
  mongoose.models.ReleaseFreeze ?? mongoose.model<ReleaseFreezeRecord>("ReleaseFreeze", schema);
