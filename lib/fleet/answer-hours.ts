import "server-only";
import { allVehicles, wholeValue } from "@/lib/fleet/dimensions";
import { loadBuckets, unitMs } from "@/lib/fleet/stored-counts";
import type { Environment } from "@/lib/vocabulary/terms";

interface Answers {
  readonly table: number;
  readonly refused: number;
}
/** Answers to vehicles in an hour. `at`: its beginning, ISO 8601 */
export type RequestHour = Readonly<Record<Environment, Answers>> & { readonly at: string };

/** Loads hours up to the current one, the oldest first; hours without a request count zero. @throws DatabaseUnavailable */
export async function loadRequestHours(now: number, hours: number): Promise<RequestHour[]> {
  const last = Math.floor(now / unitMs.hour) * unitMs.hour;
  const wanted = Array.from({ length: hours }, (_, at) => last - (hours - 1 - at) * unitMs.hour);
  const load = async (environment: Environment) => {
    const place = { environment, dimension: "answers", cell: allVehicles } as const;
    const buckets = await loadBuckets("hour", place, new Date(wanted[0] ?? last), new Date(last + unitMs.hour));
    return new Map(buckets.map(({ at, values }) => [at.getTime(), values.get(wholeValue) ?? {}]));
  };
  const [production, staging] = await Promise.all([load("production"), load("staging")]);
  const answersOf = ({ table = 0, repaired = 0, refused = 0 }: Readonly<Record<string, number>> = {}): Answers => {
    return { table: table + repaired, refused };
  };
  return wanted.map((at) => ({
    at: new Date(at).toISOString(),
    production: answersOf(production.get(at)),
    staging: answersOf(staging.get(at)),
  }));
}
