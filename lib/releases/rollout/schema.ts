/** Safe in the browser. */
import { z } from "zod";
import { visibleText } from "@/lib/platform/zod/refusing";
import { defaultRolloutSteps, maxRolloutSteps, type RolloutFilter, type RolloutStep } from "@/lib/vocabulary/rollouts";

const percentSentence = "percent must be a number above 0 and at most 100";
const hoursSentence = "hours must be a number above 0 and at most 2,160, or null: until somebody goes on";
const step = z.object(
  {
    percent: z.number(percentSentence).gt(0, percentSentence).max(100, percentSentence),
    hours: z
      .number(hoursSentence)
      .gt(0, hoursSentence)
      .max(2_160, hoursSentence)
      .nullable()
      .default(null)
      .describe("How long the step lasts; null: until somebody goes on"),
  },
  { error: "A step must be {percent, hours}" },
);

const stepsSentence = `steps must be a list of 1 to ${maxRolloutSteps} steps`;
const isGrowing = (steps: readonly RolloutStep[]) =>
  steps.every(({ percent }, at) => percent > (steps[at - 1]?.percent ?? 0));

const values = (name: RolloutFilter) =>
  z
    .array(
      z
        .string(`${name} must be a list of texts`)
        .trim()
        .min(1, `${name} must not contain an empty text`)
        .max(255, `${name} must have texts of at most 255 characters`)
        .superRefine(visibleText(name, false)),
      `${name} must be a list of texts`,
    )
    .max(200, `${name} must name at most 200`)
    .default([]);

/** How a release is rolled out (`fleet.md` S11, S15). */
export const rolloutBody = z
  .object(
    {
      steps: z
        .array(step, stepsSentence)
        .min(1, stepsSentence)
        .max(maxRolloutSteps, stepsSentence)
        .refine(isGrowing, "steps must grow from one to the next")
        .refine((steps) => steps.at(-1)?.percent === 100, "The last of the steps must be 100 percent")
        .default([...defaultRolloutSteps])
        .describe("Default: 1, 10, 50 and 100 percent, a day each"),
      countries: values("countries").describe("Only vehicles with one of these codes as wers_country_code; empty: all"),
      software: values("software").describe("Only vehicles with one of these as ccpu_version; empty: all"),
      hardware: values("hardware").describe("Only vehicles with one of these as hardware_version; empty: all"),
    },
    { error: "rollout must be {steps, countries, software, hardware}" },
  )
  .meta({ id: "RolloutRequest" });
