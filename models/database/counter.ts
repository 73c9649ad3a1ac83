import mongoose, { Schema, type InferSchemaType, type Model } from "mongoose";

/** One document per collection with integer ids: the greatest id allotted so far. */
const schema = new Schema(
  { _id: { type: String, required: true }, value: { type: Number, required: true } },
  { collection: "counters", strict: "throw" },
);

export type CounterRecord = InferSchemaType<typeof schema>;
export const CounterModel: Model<CounterRecord> =
  mongoose.models.Counter ?? mongoose.model<CounterRecord>("Counter", schema);
