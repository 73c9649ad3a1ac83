import { type InferSchemaType, Schema } from "mongoose";
import { modelOf, text } from "./parts";
import { author, digest, reviewedItem, rolloutPart } from "./release-parts";

/** A reviewed set of changes to publish at a certain time (`releases.md` L11); removed once it is published. */
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
    approvedBy: { type: author, default: null },
    items: [reviewedItem],
    /** Findings at the time of scheduling, one text each; all others are new. */
    findings: [{ type: String, required: true }],
    /** The approved time, before which it must not be published; null in records of earlier versions. */
    notBefore: { type: Date, default: null },
    digest: { type: digest, default: null },
    stoppedBecause: text,
    /** How it is rolled out (`fleet.md` S11); null: to all vehicles at once. */
    rollout: { type: rolloutPart, default: null },
  },
  { collection: "scheduled_releases", strict: "throw" },
);
schema.index({ state: 1, at: 1 });

export type ScheduledReleaseRecord = InferSchemaType<typeof schema>;
export const ScheduledReleaseModel = modelOf("ScheduledRelease", schema);
