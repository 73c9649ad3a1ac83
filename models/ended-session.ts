import { Schema } from "mongoose";
import { modelOf } from "./parts";

/** Sessions that were signed out early, so that copies of their cookies stop working. */
const schema = new Schema(
  {
    _id: { type: String, required: true },
    endsAt: { type: Date, required: true },
  },
  { collection: "ended_sessions", strict: "throw" },
);
schema.index({ endsAt: 1 });

export const EndedSessionModel = modelOf("EndedSession", schema);
