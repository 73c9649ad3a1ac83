import { type InferSchemaType, Schema } from "mongoose";
import { modelOf } from "../parts";

const date = { type: Date, default: null } as const;

/** What the tasks of directory synchronisation are doing and how they ended last, for all instances to show. */
const schema = new Schema(
  {
    /** Name of the task. */
    _id: { type: String, required: true },
    state: { type: String, enum: ["waiting", "running", "succeeded", "failed"], required: true, default: "waiting" },
    /** What is being done now, a few words. */
    phase: { type: String, default: null },
    done: { type: Number, required: true, default: 0 },
    /** Null while it is not known how much there is to do. */
    total: { type: Number, default: null },
    /** What the last successful run counted, e.g. apps read and apps stored. */
    counts: { type: Schema.Types.Mixed, default: null },
    startedAt: date,
    finishedAt: date,
    /** Start and end of the last run that succeeded. */
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
