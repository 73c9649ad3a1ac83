import { type InferSchemaType, Schema } from "mongoose";
import { modelOf } from "../parts";

/** Decisions still to be reported to the app directory: only the latest per version. */
const schema = new Schema(
  {
    /** `<uuid>:<version id>`. */
    _id: { type: String, required: true },
    uuid: { type: String, required: true },
    versionId: { type: Number, required: true },
    approvalStatus: { type: String, enum: ["ACCEPTED", "LIMITED"], required: true },
    notes: { type: String, default: null },
    blacklist: { type: Boolean, required: true },
    attempts: { type: Number, required: true, default: 0 },
    dueAt: { type: Date, required: true },
    lastError: { type: String, default: null },
    /** Identifies the sender that has claimed the element until `dueAt`; null if nobody has. */
    claim: { type: String, default: null },
    /** The revision of the decision: a sender removes only what it has sent, not a newer decision. */
    revision: { type: Number, required: true },
  },
  { collection: "feedback", strict: "throw", timestamps: true },
);
schema.index({ dueAt: 1 });
schema.index({ attempts: 1, dueAt: 1 });
schema.index({ uuid: 1 });

export type FeedbackRecord = InferSchemaType<typeof schema>;
export const FeedbackModel = modelOf("Feedback", schema);
