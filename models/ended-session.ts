import { Schema } from "mongoose";
import { modelOf } from "./parts";

/** Sessions that were signed out early, so that copies of their cookies stop working. */
const schema = new Schema(
  {
    /** The session's random id, which is sealed in its cookie and does not grant access by itself. */
    _id: { type: String, required: true },
    /** When the session would have ended; the record is not needed after that. */
    endsAt: { type: Date, required: true },
  },
  { collection: "ended_sessions", strict: "throw" },
);
schema.index({ endsAt: 1 });

export const EndedSessionModel = modelOf("EndedSession", schema);
