import { type InferSchemaType, Schema } from "mongoose";
import { modelOf } from "../parts";

const date = { type: Date, default: null } as const;

const schema = new Schema(
  {
    _id: { type: String, required: true },
    state: { type: String, enum: ["waiting", "running", "succeeded", "failed"], required: true, default: "waiting" },
    phase: { type: String, default: null },
    done: { type: Number, required: true, default: 0 },
    /** Null if the amount of work is unknown. */
    total: { type: Number, default: null },
    counts: { type: Schema.Types.Mixed, default: null },
    startedAt: date,
    finishedAt: date,
    succeededFrom: date,
    succeededAt: date,
    /** One line without secrets; null after a success. */
    lastError: { type: String, default: null },
    nextRunAt: date,
  },
  { collection: "directory_tasks", strict: "throw", minimize: false },
);

export type DirectoryTaskRecord = InferSchemaType<typeof schema>;
export const DirectoryTaskModel = modelOf("DirectoryTask", schema);
