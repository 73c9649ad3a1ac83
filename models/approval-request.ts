import { type InferSchemaType, Schema } from "mongoose";
import { appFlags, approvalKinds } from "@/lib/vocabulary/terms";
import { modelOf, part, text } from "./parts";
import { author, digest, reviewedItem, rolloutPart } from "./release-parts";

const decision = new Schema(
  {
    approvalStatus: { type: String, required: true },
    denialMessage: text,
    /** Null: unchanged. */
    isBlacklisted: { type: Boolean, default: null },
  },
  part,
);

const flag = new Schema(
  {
    name: { type: String, enum: appFlags, required: true },
    /** Uuid of the app; null if the flag belongs to a version. */
    uuid: text,
    id: { type: Number, default: null },
    value: { type: Schema.Types.Mixed, required: true },
  },
  part,
);

/** Why somebody else did not approve it; it stays until its author has taken it back (`people.md` P9a). */
const rejection = new Schema(
  {
    by: { type: author, required: true },
    reason: { type: String, required: true },
    at: { type: Date, required: true },
  },
  part,
);

const comment = new Schema(
  { by: { type: author, required: true }, text: { type: String, required: true }, at: { type: Date, required: true } },
  part,
);

/** A change to production that waits for a second person (`people.md` P9); removed once it is made or withdrawn. */
const schema = new Schema(
  {
    _id: { type: Number, required: true },
    kind: { type: String, enum: approvalKinds, required: true },
    items: [reviewedItem],
    /** Findings at the time of the request, one text each; all others are new. Null if not checked. */
    findings: { type: [String], default: null },
    digest: { type: digest, required: true },
    name: text,
    note: text,
    force: { type: Boolean, required: true, default: false },
    reason: text,
    /** When to publish it; null: when it is approved. */
    at: { type: Date, default: null },
    returnTo: { type: Number, default: null },
    /** How it is rolled out (`fleet.md` S11); null: to all vehicles at once. */
    rollout: { type: rolloutPart, default: null },
    decision: { type: decision, default: null },
    flag: { type: flag, default: null },
    apps: { type: Schema.Types.Mixed, default: null },
    author: { type: author, required: true },
    /** Who must not approve it: the person who requested it, and the creator of the token used. */
    askedBy: [{ type: String, required: true }],
    /** Who has written what it publishes, and must not approve it either; missing in requests of earlier versions. */
    writtenBy: { type: [String], default: [] },
    askedAt: { type: Date, required: true },
    rejection: { type: rejection, default: null },
    comments: [comment],
  },
  { collection: "approval_requests", strict: "throw" },
);

export type ApprovalRequestRecord = InferSchemaType<typeof schema>;
export const ApprovalRequestModel = modelOf("ApprovalRequest", schema);
