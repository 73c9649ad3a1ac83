import { Schema } from "mongoose";
import { part, text } from "./parts";

export const author = new Schema(
  {
    actor: { type: String, required: true },
    displayName: text,
    isNameVerified: { type: Boolean, required: true, default: false },
  },
  part,
);

export const reviewedItem = new Schema(
  {
    family: { type: String, required: true },
    /** Not `required`, because the module config's empty key would fail. */
    key: { type: String, default: "" },
    /** The reviewed record; for a rollback the production record that it replaces, 0 for none. */
    id: { type: Number, required: true },
  },
  part,
);

/** Hashes of the approved content (`gate.md` W5). */
export const digest = new Schema(
  {
    sum: { type: String, required: true },
    parts: [{ type: String, required: true }],
  },
  part,
);

const rolloutStep = new Schema(
  {
    percent: { type: Number, required: true },
    /** Null: until somebody goes on. */
    hours: { type: Number, default: null },
  },
  part,
);

/** How a release is rolled out (`fleet.md` S11). Empty lists restrict nothing. */
export const rolloutRequest = {
  steps: [rolloutStep],
  countries: [{ type: String, required: true }],
  software: [{ type: String, required: true }],
  hardware: [{ type: String, required: true }],
} as const;

export const rolloutPart = new Schema(rolloutRequest, part);
