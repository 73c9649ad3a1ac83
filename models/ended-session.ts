import { Schema } from "mongoose";
import { modelOf } from "./parts";

/** Sessions that somebody has signed out of before their end: a copy of the cookie opens nothing any more. */
const schema = new Schema(
  {
    /** The session's random id, which is sealed in its cookie and opens nothing by itself. */
    _id: { type: String, required: true },
    /** When the session would have ended; from then on the record is not needed. */
    endsAt: { type: Date, required: true },
  },
  { collection: "ended_sessions", strict: "throw" },
);
schema.index({ endsAt: 1 });

export const EndedSessionModel = modelOf("EndedSession", schema);
