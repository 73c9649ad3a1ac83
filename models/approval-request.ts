import { type InferSchemaType, Schema } from "mongoose";
import { appFlags, approvalKinds } from "@/lib/labels/vocabulary";
import { modelOf, part, text } from "./parts";
import { author, digest, reviewedItem } from "./release-parts";

/** A decision about a version of an app, as it was asked for. */
const decision = new Schema(
  {
    approvalStatus: { type: String, required: true },
    denialMessage: text,
    /** Null: as it is. */
    isBlacklisted: { type: Boolean, default: null },
  },
  part,
);

/** What a flag of an app, or of a version, is to be. */
const flag = new Schema(
  {
    name: { type: String, enum: appFlags, required: true },
    /** Of the app; null: the flag belongs to a version. */
    uuid: text,
    id: { type: Number, default: null },
    value: { type: Schema.Types.Mixed, required: true },
  },
  part,
);

/** A change of production that waits for a second person (`people.md` P9); gone once it is made or withdrawn. */
const schema = new Schema(
  {
    _id: { type: Number, required: true },
    kind: { type: String, enum: approvalKinds, required: true },
    items: [reviewedItem],
    /** What was found when it was asked for, one text each: whatever is found besides is new. Null: nobody has looked. */
    findings: { type: [String], default: null },
    digest: { type: digest, required: true },
    name: text,
    note: text,
    force: { type: Boolean, required: true, default: false },
    reason: text,
    /** When it is to be published; null: when it is approved. */
    at: { type: Date, default: null },
    /** The release that production returns to. */
    returnTo: { type: Number, default: null },
    decision: { type: decision, default: null },
    flag: { type: flag, default: null },
    author: { type: author, required: true },
    /** Who must not approve it: whoever has asked, and who made their token. */
    askedBy: [{ type: String, required: true }],
    askedAt: { type: Date, required: true },
  },
  { collection: "approval_requests", strict: "throw" },
);

export type ApprovalRequestRecord = InferSchemaType<typeof schema>;
export const ApprovalRequestModel = modelOf("ApprovalRequest", schema);
