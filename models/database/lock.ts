import { type InferSchemaType, Schema } from "mongoose";
import { modelOf } from "../parts";

/** Which process holds a task that only one may run at a time, and until when; also the sessions a process writes in. */
const schema = new Schema(
  {
    _id: { type: String, required: true },
    owner: { type: String, required: true },
    expiresAt: { type: Date, required: true },
    /** In the record of a process: the sessions of its transactions (UUIDs), and the number of its heartbeats. */
    sessions: { type: [String], default: undefined },
    beat: { type: Number },
  },
  { collection: "locks", strict: "throw" },
);

export type LockRecord = InferSchemaType<typeof schema>;
export const LockModel = modelOf("Lock", schema);
