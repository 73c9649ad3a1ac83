import { type InferSchemaType, Schema } from "mongoose";
import { modelOf } from "../parts";

/** Apps to read again from the app directory, one element per uuid. */
const schema = new Schema(
  {
    _id: { type: String, required: true },
    attempts: { type: Number, required: true, default: 0 },
    dueAt: { type: Date, required: true },
    lastError: { type: String, default: null },
    /** A deletion was announced: the app is deleted if the app directory no longer knows it. */
    isDeletion: { type: Boolean, required: true, default: false },
    deliveries: { type: Number, required: true },
    /** Who claimed it until `dueAt`; null: nobody. A notification clears it, so that no worker removes it unread. */
    claim: { type: String, default: null },
  },
  { collection: "webhook_jobs", strict: "throw", timestamps: true },
);
schema.index({ dueAt: 1 });
schema.index({ attempts: 1, dueAt: 1 });

export type WebhookJobRecord = InferSchemaType<typeof schema>;
export const WebhookJobModel = modelOf("WebhookJob", schema);
