import { type InferSchemaType, Schema } from "mongoose";
import { modelOf } from "./parts";

/** Who changed what, written in the transaction of the change. Holds ids and plain values, never a secret. */
const schema = new Schema(
  {
    _id: { type: Number, required: true },
    at: { type: Date, required: true },
    /** Revision the change made. */
    revision: { type: Number, required: true },
    actor: { type: String, required: true },
    /** Who it was (`gate.md` W6), of a token who has made it; null: the server itself, or nobody who can be told. */
    personId: { type: String, default: null },
    /** Self-declared unless it is verified; events of earlier versions have none. */
    displayName: { type: String, default: null },
    /** Whether the proxy in front gave the name, for a user that it has authenticated. */
    isNameVerified: { type: Boolean, default: false },
    route: { type: String, required: true },
    requestId: { type: String, default: null },
    action: { type: String, required: true },
    target: { type: String, required: true },
    before: { type: Schema.Types.Mixed, default: null },
    after: { type: Schema.Types.Mixed, default: null },
    /** Hash of the event before; null: there was none. */
    previousHash: { type: String, default: null },
    /** HMAC-SHA-256 of this event, the hash before among it (`gate.md` W11). */
    hash: { type: String, default: null },
  },
  { collection: "audit_events", strict: "throw", minimize: false },
);
schema.index({ target: 1, _id: -1 });

export type AuditEventRecord = InferSchemaType<typeof schema>;
export const AuditEventModel = modelOf("AuditEvent", schema);
