import { type InferSchemaType, Schema } from "mongoose";
import { modelOf } from "../parts";

/** Who may do a task that only one process may do at a time, and until when; also which sessions a process writes in. */
const schema = new Schema(
  {
    _id: { type: String, required: true },
    owner: { type: String, required: true },
    expiresAt: { type: Date, required: true },
    /** In the record of a process: the sessions of its transactions (UUIDs), and how many signs of life it has given. */
    sessions: { type: [String], default: undefined },
    beat: { type: Number },
  },
  { collection: "locks", strict: "throw" },
);

export type LockRecord = InferSchemaType<typeof schema>;
export const LockModel = modelOf("Lock", schema);
