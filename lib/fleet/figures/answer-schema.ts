import { z } from "zod";
import { stepUnits } from "@/lib/fleet/figures/schema";
import { nullableText, timestamp } from "@/lib/platform/http/answer-schema";
import { environments } from "@/lib/vocabulary/terms";

const count = z
  .int()
  .nonnegative()
  .nullable()
  .meta({ id: "FleetCount", description: "Null: from 1 to 9, which is not told exactly" });
const part = z.number().min(0).max(1).nullable();

const scope = {
  from: timestamp.describe("The beginning of the first step"),
  to: timestamp,
  step: z.enum(stepUnits),
  environment: z.enum(environments),
  software: nullableText,
  country: nullableText,
  share: part.describe(
    "Share of the requests that was read; counts are divided by it. Null: none was answered. Answers to all vehicles are counted without it",
  ),
};

const answers = { table: count, repaired: count, refused: count };
export const answeredFigures = z
  .object({
    ...scope,
    total: z.object(answers).describe("Policy tables, policy tables for repaired requests, and refusals"),
    steps: z.array(z.object({ at: timestamp, ...answers })),
  })
  .meta({ id: "FleetRequests" });
export type AnsweredFigures = z.infer<typeof answeredFigures>;

const release = z.int().nullable().describe("The number of the release; null: unknown");
export const adoptionFigures = z
  .object({
    ...scope,
    releases: z
      .array(z.object({ release, count, share: part }))
      .describe("Requests by the release that the vehicle had when it asked, the newest first, unknown last"),
    steps: z.array(z.object({ at: timestamp, releases: z.array(z.object({ release, count })) })),
  })
  .meta({ id: "FleetAdoption" });
export type AdoptionFigures = z.infer<typeof adoptionFigures>;

const usage = z
  .object({
    reports: count.describe("How often vehicles reported counters of the app"),
    full: count.describe("Minutes in HMI level FULL"),
    limited: count,
    background: count,
    none: count,
    selections: count.describe("How often users selected it"),
    rejected: count.describe("Calls that head units rejected"),
    refused: count.describe("Other rejections"),
    removed: count.describe("Removals for bad behavior"),
    rejected_per_report: z.number().nonnegative().nullable(),
  })
  .meta({ id: "FleetUsage", description: "Null members: from fewer than 10 reports, or from 1 to 9" });

export const appFigures = z
  .object({
    ...scope,
    requests: count.describe("Requests that got a policy table"),
    apps: z
      .array(
        z.object({
          uuid: z.string().describe("`other`: all beyond the 1,000 of an hour"),
          name: nullableText,
          count: count.describe("Requests that named the app"),
          share: part.describe("Of the requests"),
          own: count.describe("It got its own entry"),
          default: count.describe("It got the default entry"),
          blocked: count,
          usage: usage.nullable().describe("Null: nothing was reported (FLEET_STATISTICS=usage)"),
        }),
      )
      .describe("Most requested first"),
    unknown: z.array(z.object({ id: z.string(), count })).describe("Requested ids of no app"),
  })
  .meta({ id: "FleetApps" });
export type AppFigures = z.infer<typeof appFigures>;

export const groupFigures = z
  .object({
    ...scope,
    groups: z.array(
      z.object({ name: z.string(), yes: count, no: count, share: part.describe("Of consents that are yes") }),
    ),
  })
  .meta({ id: "FleetGroups", description: "Drivers' consents in vehicles' reports (FLEET_STATISTICS=usage)" });
export type GroupFigures = z.infer<typeof groupFigures>;

const values = z.array(z.object({ value: z.string(), count, share: part }));
export const headUnitFigures = z
  .object({
    ...scope,
    software: values,
    hardware: values,
    languages: values,
    countries: values,
    systems: values.describe("Operating systems of phones; a request may name several phones"),
  })
  .meta({ id: "FleetHeadUnits" });
export type HeadUnitFigures = z.infer<typeof headUnitFigures>;
