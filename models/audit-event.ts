import { type InferSchemaType, Schema } from "mongoose";
import { modelOf, part } from "./parts";

const summary = new Schema(
  {
    /** Id of the first event; the summary has the id and the hash of the last one. */
    first: { type: Number, required: true },
    hashes: [{ type: String, required: true }],
    seal: { type: String, required: true },
  },
  part,
);

/** Who changed what, written in the transaction of the change. Contains ids and plain values, never secrets. */
const schema = new Schema(
  {
    _id: { type: Number, required: true },
    at: { type: Date, required: true },
    revision: { type: Number, required: true },
    actor: { type: String, required: true },
    /** Who it was (`gate.md` W6), for a token its creator; null: the server itself, or unknown. */
    personId: { type: String, default: null },
    /** Self-declared unless verified; missing in events of earlier versions. */
    displayName: { type: String, default: null },
    /** Whether the reverse proxy provided the name of an authenticated user. */
    isNameVerified: { type: Boolean, default: false },
    route: { type: String, required: true },
    requestId: { type: String, default: null },
    action: { type: String, required: true },
    target: { type: String, required: true },
    before: { type: Schema.Types.Mixed, default: null },
    after: { type: Schema.Types.Mixed, default: null },
    /** Hash of the previous event; null for the first one. */
    previousHash: { type: String, default: null },
    /** HMAC-SHA-256 of this event, including the previous hash (`gate.md` W11). */
    hash: { type: String, default: null },
    summary: { type: summary, default: undefined },
  },
  { collection: "audit_events", strict: "throw", minimize: false },
);
schema.index({ target: 1, _id: -1 });

export type AuditEventRecord = InferSchemaType<typeof schema>;
export const AuditEventModel = modelOf("AuditEvent", schema);
