import { type InferSchemaType, Schema } from "mongoose";
import { modelOf } from "../parts";

const trail = new Schema(
  {
    first: { type: Number, required: true },
    head: { type: String, default: null },
    brokenAt: { type: Number, default: null },
    seal: { type: String, required: true },
  },
  { _id: false, strict: "throw" },
);

/** One document per collection with integer ids: the greatest id allocated so far. */
const schema = new Schema(
  {
    _id: { type: String, required: true },
    value: { type: Number, required: true },
    trail: { type: trail },
  },
  { collection: "counters", strict: "throw" },
);

export type CounterRecord = InferSchemaType<typeof schema>;
export const CounterModel = modelOf("Counter", schema);
