import { type InferSchemaType, Schema } from "mongoose";
import { rolloutStates } from "@/lib/vocabulary/rollouts";
import { modelOf, part, text } from "./parts";
import { author, rolloutRequest } from "./release-parts";

const happening = new Schema(
  {
    act: { type: String, required: true },
    at: { type: Date, required: true },
    /** The share that vehicles were given from then on. */
    percent: { type: Number, required: true },
    /** Null: the server itself. */
    by: { type: author, default: null },
    because: text,
  },
  part,
);

/** Counts of each side when the brake began to watch; what was counted before belongs to no step. */
const watch = new Schema(
  { since: { type: Date, required: true }, counts: { type: Schema.Types.Mixed, required: true } },
  part,
);

/** The `slot` of the rollout that is alive. */
export const aliveSlot = "alive";

/** A release that only some vehicles get at first (`fleet.md` section 3). Kept when it is over. */
const schema = new Schema(
  {
    _id: { type: Number, required: true },
    /** `alive`, later the number: the database itself refuses a second one that is alive. */
    slot: { type: String, required: true },
    state: { type: String, enum: rolloutStates, required: true },
    release: { type: Number, required: true },
    /** The newest release before it, which all other vehicles keep. */
    before: { type: Number, required: true },
    ...rolloutRequest,
    /** Which of the steps, from 0, and since when; a pause is left out. */
    step: { type: Number, required: true },
    stepSince: { type: Date, required: true },
    /** Random. Which vehicles come first depends on it. */
    salt: { type: String, required: true },
    author: { type: author, required: true },
    startedAt: { type: Date, required: true },
    endedAt: { type: Date, default: null },
    pausedAt: { type: Date, default: null },
    pausedBecause: text,
    /** Which figure made the server pause it; null: a person did. */
    brake: text,
    watch: { type: watch, default: null },
    history: [happening],
    /** How much of the history was mailed. */
    told: { type: Number, required: true, default: 0 },
  },
  { collection: "rollouts", strict: "throw" },
);
schema.index({ slot: 1 }, { unique: true });

export type RolloutRecord = InferSchemaType<typeof schema>;
export const RolloutModel = modelOf("Rollout", schema);
