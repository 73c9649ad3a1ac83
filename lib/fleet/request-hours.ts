import "server-only";
import { z } from "zod";
import { type Environment, environments } from "@/lib/vocabulary/terms";
import { inDatabase } from "@/lib/platform/db/connection/connect";
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
  /** The last value of each counter, by process and its start. */
  #seen = new Map<string, number>();
  /** What is not stored yet, by the beginning of the hour. */
  readonly #waiting = new Map<number, Increments>();
  readonly #since: number;

  /** @param since when this process began to count, in milliseconds since 1970: what others counted before is not new */
  constructor(since: number) {
    this.#since = since;
  }

  /** Adds what is new since the last call. A process that gave no metrics changes nothing. */
  add(byProcess: ByProcess, now: number): void {
    const hour = Math.floor(now / hourMs) * hourMs;
    const seen = new Map<string, number>();
    for (const [process, figures] of Object.entries(byProcess)) {
      for (const [series, member, value] of listCounters(process, figures)) {
        const before = this.#seen.get(series.key) ?? (series.startedAt > this.#since ? 0 : value);
        seen.set(series.key, value);
        if (value > before) this.#increase(hour, member, value - before);
      }
      if (figures.length > 0) continue;
      for (const [key, value] of this.#seen) if (key.startsWith(`${process} `)) seen.set(key, value);
    }
    this.#seen = seen;
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

function* listCounters(process: string, figures: Figures) {
  const known = figures.flatMap((one) => figure.safeParse(one).data ?? []);
  const startedAt = (known.find(({ name }) => name === "process_start_time_seconds")?.values[0]?.value ?? 0) * 1000;
  for (const { labels, value } of known.find(({ name }) => name === "policy_answers_total")?.values ?? []) {
    const { environment, status } = answerLabels.parse(labels);
    const member = members[environment][status === 200 ? "table" : "refused"];
    yield [{ key: `${process} ${startedAt} ${environment} ${status}`, startedAt }, member, value] as const;
  }
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
