import { Schema } from "mongoose";
import { modelOf } from "../parts";

/** Apps that are to be read again from the directory (rule Q1): one element per uuid. */
const schema = new Schema(
  {
    /** The uuid of the app. */
    _id: { type: String, required: true },
    /** Failed attempts so far. */
    attempts: { type: Number, required: true, default: 0 },
    dueAt: { type: Date, required: true },
    lastError: { type: String, default: null },
    /** A deletion was announced: an app that the directory does not know any more is deleted then. */
    isDeletion: { type: Boolean, required: true, default: false },
    /** Counts the notifications. */
    deliveries: { type: Number, required: true },
    /**
     * The worker that has the element until `dueAt`; null: nobody. A notification clears it, so that a worker removes
     * only what it worked off.
     */
    claim: { type: String, default: null },
  },
  { collection: "webhook_jobs", strict: "throw", timestamps: true },
);
schema.index({ dueAt: 1 });
/** Apps that could not be stored. */
schema.index({ attempts: 1, dueAt: 1 });

export const WebhookJobModel = modelOf("WebhookJob", schema);
