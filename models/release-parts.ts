import { Schema } from "mongoose";
import { part, text } from "./parts";

export const author = new Schema(
  {
    actor: { type: String, required: true },
    displayName: text,
    /** Whether somebody else vouches for the name: the identity provider, a proxy, or who made the token. */
    isNameVerified: { type: Boolean, required: true, default: false },
  },
  part,
);

export const reviewedItem = new Schema(
  {
    family: { type: String, required: true },
    /** Not `required`, which the empty key of the module config fails. */
    key: { type: String, default: "" },
    /** The record that was reviewed; of a return that of production that it replaces, 0 for none. */
    id: { type: Number, required: true },
  },
  part,
);

/** Of what was approved (`gate.md` W5). */
export const digest = new Schema(
  {
    /** SHA-256 of all parts. */
    sum: { type: String, required: true },
    /** Short hashes with the names of what they are of. */
    parts: [{ type: String, required: true }],
  },
  part,
);
