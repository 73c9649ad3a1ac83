/** Input of the fleet's figures (`fleet.md` S8, S10). Safe in the browser. */
import { z } from "zod";
import { unitMs } from "@/lib/fleet/dimensions";
import { filledText, queryWord } from "@/lib/platform/zod/query";
import { queryTime } from "@/lib/platform/zod/query-time";
import { namesOf } from "@/lib/vocabulary/members";
import { environments } from "@/lib/vocabulary/terms";

export const stepUnits = namesOf(unitMs);

export const fleetQuery = z
  .object({
    from: queryTime("from").describe(
      "A time, or a date, which begins at midnight UTC. Default: the last 24 hours, or 30 days if step is day",
    ),
    to: queryTime("to", true).describe("The time before which it was, or the last day in UTC. Default: now"),
    step: queryWord("step", stepUnits).describe("Default: hour for up to 7 days, otherwise day"),
    environment: queryWord("environment", environments)
      .transform((named) => named ?? "production")
      .describe("Default: production"),
    software: filledText().describe("Only vehicles whose head unit has this software (ccpu_version)"),
    country: filledText().describe("Only vehicles of this country; not together with software"),
    format: queryWord("format", ["json", "csv"]).describe("Default: json"),
  })
  .refine(({ software, country }) => software === undefined || country === undefined, {
    path: ["country"],
    error: "country cannot be combined with software: that would count very small parts of the fleet",
  });
export type FleetQuery = z.output<typeof fleetQuery>;

export const pageRanges = {
  "24h": { label: "24 hours", step: "hour", count: 24 },
  "7d": { label: "7 days", step: "hour", count: 7 * 24 },
  "30d": { label: "30 days", step: "day", count: 30 },
  "90d": { label: "90 days", step: "day", count: 90 },
} as const;
export type PageRange = keyof typeof pageRanges;
export const defaultRange: PageRange = "7d";

const text = z.string().max(1_000).optional().catch(undefined);
/** Never fails: whatever is unknown gets its default. A software takes precedence over a country. */
export const fleetPageQuery = z
  .object({
    range: z.enum(["24h", "7d", "30d", "90d"]).catch(defaultRange),
    environment: z.enum(environments).catch("production"),
    software: text,
    country: text,
  })
  .transform(({ country, ...query }) => ({ ...query, country: query.software === undefined ? country : undefined }));
export type FleetPageQuery = z.output<typeof fleetPageQuery>;
