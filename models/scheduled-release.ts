import { type InferSchemaType, Schema } from "mongoose";
import { modelOf, text } from "./parts";
import { author, digest, reviewedItem } from "./release-parts";

/** A reviewed set that is published at a time (`releases.md` L11); gone once it is. */
const schema = new Schema(
  {
    _id: { type: Number, required: true },
    state: { type: String, enum: ["waiting", "stopped"], required: true, default: "waiting" },
    at: { type: Date, required: true },
    name: text,
    note: text,
    force: { type: Boolean, required: true, default: false },
    reason: text,
    author: { type: author, required: true },
    /** The second person (`people.md` P9); null: nobody had to approve it. */
    approvedBy: { type: author, default: null },
    items: [reviewedItem],
    /** What was found when it was scheduled, one text each: whatever is found besides is new. */
    findings: [{ type: String, required: true }],
    /** The time that was agreed to, before which it must not be published; null: it was stored before this was kept. */
    notBefore: { type: Date, default: null },
    /** Null: it was stored before this was kept. */
    digest: { type: digest, default: null },
    stoppedBecause: text,
  },
  { collection: "scheduled_releases", strict: "throw" },
);
/** What is due. */
schema.index({ state: 1, at: 1 });

export type ScheduledReleaseRecord = InferSchemaType<typeof schema>;
export const ScheduledReleaseModel = modelOf("ScheduledRelease", schema);
