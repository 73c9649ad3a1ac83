import { z } from "zod";
import { type Count, dimensions } from "@/lib/fleet/dimensions";
import { namesOf } from "@/lib/vocabulary/members";
import { environments } from "@/lib/vocabulary/terms";

/** Counts that are handed over at once: few enough to be sent within a millisecond. */
export const maxBatch = 500;

/** Counts of one hour on their way to the database. A batch is stored once, however often it arrives. */
export interface CountBatch {
  readonly id: string;
  /** In the hour, in milliseconds since 1970. */
  readonly at: number;
  readonly counts: readonly Count[];
}

const value = z.string().max(100);
const cell = z.union([
  z.object({ of: z.literal("all") }),
  z.object({ of: z.enum(["software", "country", "side"]), value }),
]);
const count = z.object({
  environment: z.enum(environments),
  cell,
  dimension: z.enum(namesOf(dimensions)),
  value,
  counters: z.record(z.string().regex(/^[a-z]{1,20}$/i), z.number().nonnegative()),
});

/** What a process may hand over: like a `CountBatch`, whatever a program writes on the channel. */
export const batchSchema = z.object({
  id: z.string().max(100),
  at: z.number().nonnegative(),
  counts: z.array(count).max(maxBatch),
}) satisfies z.ZodType<CountBatch>;
