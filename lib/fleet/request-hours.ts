import "server-only";
import { z } from "zod";
import { type Environment, environments } from "@/lib/vocabulary/terms";
import { inDatabase } from "@/lib/platform/db/connection/connect";
import { DatabaseUnavailable } from "@/lib/platform/db/connection/errors";
import { requireExpectedDatabase } from "@/lib/platform/db/connection/unexpected-database";
import { log } from "@/lib/platform/log";
import type { Figures } from "@/lib/platform/process/messages";
import { VehicleHourModel } from "@/models/vehicle-hour";

const hourMs = 3_600_000;
const everyMs = 60_000;
const keptMs = 90 * 24 * hourMs;

interface Answers {
  readonly table: number;
  readonly refused: number;
}
/** Answers to vehicles in an hour. `at`: its beginning, ISO 8601 */
export type RequestHour = Readonly<Record<Environment, Answers>> & { readonly at: string };

type ByProcess = Readonly<Record<string, Figures>>;
const members = {
  production: { table: "productionTables", refused: "productionRefused" },
  staging: { table: "stagingTables", refused: "stagingRefused" },
} as const;
/** By member of a stored hour. */
type Increments = Record<string, number>;

const counted = ["policy_answers_total", "process_start_time_seconds"] as const;
const figure = z.object({
  name: z.enum(counted),
  values: z.array(z.object({ value: z.number(), labels: z.record(z.string(), z.unknown()) })),
});
const answerLabels = z.object({ environment: z.enum(environments), status: z.coerce.number() });

/** Counts the requests of vehicles by hour (rules S1, S5), from the metrics of all processes. */
export class RequestHours {
  /** The last counters of each process. One that ends and comes again has another start. */
  readonly #seen = new Map<string, { readonly startedAt: number; readonly values: ReadonlyMap<string, number> }>();
  /** What is not stored yet, by the beginning of the hour. */
  readonly #waiting = new Map<number, Increments>();
  readonly #since: number;

  /** @param since when this process began to count, in milliseconds since 1970: what others counted before is not new */
  constructor(since: number) {
    this.#since = since;
  }

  /** Adds what is new since the last call. A process without metrics changes nothing. */
  add(byProcess: ByProcess, now: number): void {
    const hour = Math.floor(now / hourMs) * hourMs;
    for (const [process, figures] of Object.entries(byProcess)) {
      if (figures.length === 0) continue;
      const { startedAt, counters } = readCounters(figures);
      const known = this.#seen.get(process);
      const before = known?.startedAt === startedAt ? known.values : null;
      for (const { key, member, value } of counters) {
        const last = before?.get(key) ?? (before === null && startedAt <= this.#since ? value : 0);
        if (value > last) this.#increase(hour, member, value - last);
      }
      this.#seen.set(process, { startedAt, values: new Map(counters.map(({ key, value }) => [key, value])) });
    }
  }

  /** Stores what was added, at most the last two hours. @throws DatabaseUnavailable; everything is kept then */
  async store(now: number): Promise<void> {
    for (const hour of this.#waiting.keys()) if (hour < now - 2 * hourMs) this.#waiting.delete(hour);
    if (this.#waiting.size === 0) return;
    const updates = [...this.#waiting].map(([hour, $inc]) => ({
      updateOne: { filter: { _id: new Date(hour) }, update: { $inc }, upsert: true },
    }));
    requireExpectedDatabase();
    await inDatabase(async () => {
      await VehicleHourModel.bulkWrite(updates, { ordered: false });
      this.#waiting.clear();
      await VehicleHourModel.deleteMany({ _id: { $lt: new Date(now - keptMs) } });
    });
  }

  #increase(hour: number, member: string, by: number): void {
    const increments = this.#waiting.get(hour) ?? {};
    increments[member] = (increments[member] ?? 0) + by;
    this.#waiting.set(hour, increments);
  }
}

function readCounters(figures: Figures) {
  const known = figures.flatMap((one) => figure.safeParse(one).data ?? []);
  const valuesOf = (name: string) => known.find((one) => one.name === name)?.values ?? [];
  const counters = valuesOf("policy_answers_total").map(({ labels, value }) => {
    const { environment, status } = answerLabels.parse(labels);
    const member = members[environment][status === 200 ? "table" : "refused"];
    return { key: `${environment} ${status}`, member, value };
  });
  return { startedAt: (valuesOf("process_start_time_seconds")[0]?.value ?? 0) * 1000, counters };
}

/**
 * Counts requests from now on, once a minute. Returns a function that stops it.
 *
 * @param collect reads metrics of all processes; empty for one that does not answer
 */
export function startRequestHours(collect: (names: readonly string[]) => Promise<ByProcess>): () => Promise<void> {
  const hours = new RequestHours(performance.timeOrigin);
  let working = Promise.resolve();
  const work = () => {
    working = working.then(async () => {
      try {
        hours.add(await collect(counted), Date.now());
        await hours.store(Date.now());
      } catch (error) {
        if (!(error instanceof DatabaseUnavailable))
          log.warn({ err: error }, "requests of vehicles could not be counted; trying again");
      }
    });
    return working;
  };
  void work();
  const timer = setInterval(() => void work(), everyMs).unref();
  return async () => {
    clearInterval(timer);
    await working;
  };
}

/**
 * Loads hours up to the current one, the oldest first; hours without a request count zero.
 *
 * @throws DatabaseUnavailable
 */
export async function loadRequestHours(now: number, hours: number): Promise<RequestHour[]> {
  const last = Math.floor(now / hourMs) * hourMs;
  const wanted = Array.from({ length: hours }, (_, at) => last - (hours - 1 - at) * hourMs);
  const stored = await inDatabase(() => VehicleHourModel.find({ _id: { $gte: new Date(wanted[0] ?? last) } }).lean());
  const byHour = new Map(stored.map((one) => [one._id.getTime(), one]));
  const answersOf = (at: number, environment: Environment) => {
    const hour = byHour.get(at);
    const { table, refused } = members[environment];
    return { table: hour?.[table] ?? 0, refused: hour?.[refused] ?? 0 };
  };
  return wanted.map((at) => ({
    at: new Date(at).toISOString(),
    production: answersOf(at, "production"),
    staging: answersOf(at, "staging"),
  }));
}
