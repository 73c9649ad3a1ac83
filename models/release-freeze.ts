import { Schema } from "mongoose";
import { modelOf } from "./parts";

/** The period in which nothing is published (`releases.md` L14): at most one document. */
const schema = new Schema(
  {
    _id: { type: String, required: true },
    from: { type: Date, required: true },
    to: { type: Date, required: true },
    reason: { type: String, required: true },
  },
  { collection: "release_freezes", strict: "throw" },
);

export const ReleaseFreezeModel = modelOf("ReleaseFreeze", schema);
