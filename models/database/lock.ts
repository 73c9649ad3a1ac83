import mongoose, { Schema, type InferSchemaType, type Model } from "mongoose";

/** Who may do a task that only one process may do at a time, and until when. */
const schema = new Schema(
  {
    _id: { type: String, required: true },
    owner: { type: String, required: true },
    expiresAt: { type: Date, required: true },
  },
  { collection: "locks", strict: "throw" },
);

export type LockRecord = InferSchemaType<typeof schema>;
export const LockModel: Model<LockRecord> = mongoose.models.Lock ?? mongoose.model<LockRecord>("Lock", schema);
