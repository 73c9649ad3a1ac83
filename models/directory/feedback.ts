import { Schema } from "mongoose";
import { modelOf } from "../parts";

/** Decisions the directory is still to be told about (rule P4): per version only the latest one. */
const schema = new Schema(
  {
    /** `<uuid>:<version id>`. */
    _id: { type: String, required: true },
    uuid: { type: String, required: true },
    versionId: { type: Number, required: true },
    approvalStatus: { type: String, enum: ["ACCEPTED", "LIMITED"], required: true },
    notes: { type: String, default: null },
    /** Whether the app was blacklisted when the decision was made. */
    blacklist: { type: Boolean, required: true },
    /** Failed attempts so far. */
    attempts: { type: Number, required: true, default: 0 },
    dueAt: { type: Date, required: true },
    /** Why the last attempt failed. */
    lastError: { type: String, default: null },
    /** Names the sender that has the element in hand until `dueAt`; null while nobody has. */
    claim: { type: String, default: null },
    /** The revision that made the decision: a sender removes only what it has sent, not what came meanwhile. */
    revision: { type: Number, required: true },
  },
  { collection: "feedback", strict: "throw", timestamps: true },
);
schema.index({ dueAt: 1 });
/** What does not get through. */
schema.index({ attempts: 1, dueAt: 1 });
schema.index({ uuid: 1 });

export const FeedbackModel = modelOf("Feedback", schema);
