import { Schema } from "mongoose";
import { modelOf } from "../parts";

/** Apps to read again from the app directory (rule Q1), one element per uuid. */
const schema = new Schema(
  {
    /** The uuid of the app. */
    _id: { type: String, required: true },
    /** Failed attempts so far. */
    attempts: { type: Number, required: true, default: 0 },
    dueAt: { type: Date, required: true },
    lastError: { type: String, default: null },
    /** A deletion was announced: the app is deleted if the app directory no longer knows it. */
    isDeletion: { type: Boolean, required: true, default: false },
    /** Number of notifications. */
    deliveries: { type: Number, required: true },
    /**
     * The worker that has claimed the element until `dueAt`; null if nobody has. A notification clears it, so that a
     * worker removes only what it has processed.
     */
    claim: { type: String, default: null },
  },
  { collection: "webhook_jobs", strict: "throw", timestamps: true },
);
schema.index({ dueAt: 1 });
/** Apps that could not be stored. */
schema.index({ attempts: 1, dueAt: 1 });

export const WebhookJobModel = modelOf("WebhookJob", schema);
