import { z } from "zod";
import { maxAppIds } from "@/lib/policy/answer/policy-request";
import { queryEnvironment, queryInteger, queryText, queryWord, taking } from "@/lib/platform/zod/query";
import { coreVersions } from "@/lib/vocabulary/head-units";
import { environments } from "@/lib/vocabulary/terms";

const headUnit = "Version of SDL Core that asks; none: the newest, or 4.5 for a request of rule R8";

const simulateForm = z.object({
  request: z
    .record(z.string(), z.unknown())
    .optional()
    .describe(
      "A shortened policy table, a body that holds one, or the HTTPRequest or data around such a body; members that it lacks are empty",
    ),
  apps: z.array(z.string().min(1).max(255)).max(maxAppIds).optional().describe("Uuids, in place of a request"),
  full_app_id_supported: z.boolean().default(true).describe("With apps: false asks by their short ids"),
  head_unit: z.enum(coreVersions).optional().describe(headUnit),
  environment: z.enum(environments).default("production"),
  release: z.int().min(1).optional().describe("Production as of this release, in place of an environment"),
});

/** `releases.md` L15 */
export const simulateBody = taking(
  simulateForm
    .refine(({ request, apps }) => request === undefined || apps === undefined, {
      error: "Only one of request and apps may be given",
    })
    .refine(({ request, apps }) => request ?? apps, { error: "One of request and apps is required" })
    .refine(({ environment, release }) => release === undefined || environment === "production", {
      error: "A release was in production, not in staging",
    }),
  simulateForm,
);
export type SimulateBody = z.output<typeof simulateBody>;

export const matrixQuery = z.object({
  app: taking(
    queryText().refine((text) => text !== undefined && text !== "", { error: "app (a uuid) is required" }),
    z.string().describe("A uuid"),
  ).transform((text = "") => text),
  version: queryInteger().describe("Id of a version; none: the one that is served, else the newest"),
  environment: queryEnvironment("production"),
  head_unit: queryWord("head_unit", coreVersions).describe("Version of SDL Core; none: the newest"),
});
export type MatrixQuery = z.output<typeof matrixQuery>;
