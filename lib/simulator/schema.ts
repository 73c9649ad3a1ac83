import { z } from "zod";
import { mostAppIds } from "@/lib/policy/answer/policy-request";
import { taking } from "@/lib/zod/taking";
import { environments, hmiLevels } from "@/lib/words/vocabulary";

/** Longer than any uuid or name of an RPC, and short enough for sentences. */
const name = z.string().min(1).max(255);

const question = z
  .object({
    app: name.describe("Its uuid or short id"),
    rpc: name,
    parameter: name.nullable().optional(),
    level: z.enum(hmiLevels),
  })
  .describe("May this app call this RPC, with this parameter, at this HMI level?");

const simulateForm = z.object({
  request: z
    .record(z.string(), z.unknown())
    .optional()
    .describe("A shortened policy table, or a body that holds one; members that it lacks are empty"),
  apps: z
    .array(name)
    .max(mostAppIds)
    .optional()
    .describe("Uuids, in place of a request; none of both: the app of the question alone"),
  full_app_id_supported: z.boolean().default(true).describe("With apps: false asks by their short ids"),
  environment: z.enum(environments).default("production"),
  question: question.nullable().optional(),
});

/** Body of `POST policy/simulate` (`releases.md` L15, L16). */
export const simulateBody = taking(
  simulateForm
    .refine(({ request, apps }) => request === undefined || apps === undefined, {
      error: "Only one of request and apps may be given",
    })
    .refine(({ request, apps, question: asked }) => request ?? apps ?? asked, {
      error: "One of request, apps and question is required",
    }),
  simulateForm,
);
export type SimulateBody = z.output<typeof simulateBody>;
