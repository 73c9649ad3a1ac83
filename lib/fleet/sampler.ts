import { BodyRing } from "@/lib/fleet/body-ring";
import { CellLimit } from "@/lib/fleet/cell-limit";
import { allVehicles, type Cell, unitMs, wholeValue } from "@/lib/fleet/dimensions";
import { Draw } from "@/lib/fleet/draw";
import { Outbox } from "@/lib/fleet/outbox";
import { KnownGroups, type Reading, readRequest } from "@/lib/fleet/read-request";
import { TokenBucket } from "@/lib/fleet/token-bucket";
import type { VehicleAnswer, VehicleEvent } from "@/lib/policy/answer/answer-vehicle";
import type { CompiledPolicy } from "@/lib/policy/table/compiled-policy";
import type { Settings } from "@/lib/platform/settings";
import { namesOf } from "@/lib/vocabulary/members";
import type { RolloutSide } from "@/lib/vocabulary/rollouts";
import { type Environment, environments } from "@/lib/vocabulary/terms";

/** Requests that wait to be read, and the memory that they hold in bytes. */
const [maxKept, maxKeptBytes] = [1_000, 4 * 1_048_576];
/** Requests that are read together: one by one, each would find its code and data gone from the processor's caches. */
const batch = 10;
/** How long the first of them waits, in milliseconds. */
const batchMs = 200;
/** Work in one turn of the event loop, in milliseconds. A single step takes as long again at most. */
const sliceMs = 0.5;

export const answerKinds = ["table", "refused", "repaired"] as const;
export type AnswerKind = (typeof answerKinds)[number];

interface Offered {
  readonly policy: CompiledPolicy;
  readonly side: RolloutSide | null;
}
interface Kept extends Offered {
  readonly environment: Environment;
  readonly body: Buffer;
  readonly times: number;
}

const zeros = () => ({ table: 0, refused: 0, repaired: 0, answered: 0, read: 0 });
type Exact = ReturnType<typeof zeros>;
const perEnvironment = <T>(make: () => T): Record<Environment, T> => ({ production: make(), staging: make() });

/** How long this process runs, and the time since 1970. Both in milliseconds. */
const usualClocks = { elapsed: () => performance.now(), now: () => Date.now() };

/** Counts the requests of vehicles (rules S1, S3): each answer exactly, and what a sample of the requests says. */
export class FleetSampler {
  readonly outbox = new Outbox();
  readonly #hasUsage: boolean;
  readonly #clocks: typeof usualClocks;
  readonly #random: () => number;
  readonly #bucket: TokenBucket;
  readonly #groups = new KnownGroups();
  readonly #cells = new CellLimit();
  readonly #kept: Kept[] = [];
  readonly #bodies = new BodyRing(maxKeptBytes);
  #reading: { readonly of: Kept; readonly steps: Generator<undefined, Reading, undefined> } | null = null;
  #turn: NodeJS.Immediate | null = null;
  #later: NodeJS.Timeout | null = null;
  /** Of the hour that ends at `#end`; all hours before are in the outbox. */
  #exact = perEnvironment(zeros);
  #end = 0;
  readonly #draws = perEnvironment(() => new Draw<Offered>());
  readonly #folded = perEnvironment(zeros);
  /** Requests that were kept, and could not be read. */
  unreadable = 0;

  constructor(
    settings: Pick<Settings, "fleetStatistics" | "fleetSamplePerSecond">,
    clocks: Partial<typeof usualClocks> = {},
    random = Math.random,
  ) {
    this.#hasUsage = settings.fleetStatistics === "usage";
    this.#clocks = { ...usualClocks, ...clocks };
    this.#random = random;
    this.#bucket = new TokenBucket(settings.fleetSamplePerSecond, this.#clocks.elapsed());
  }

  /** Counts an answer, after it was sent. */
  observe({ environment, status, repair }: Pick<VehicleEvent, "environment" | "status" | "repair">): void {
    // A preflight is no request for a table.
    if (status === 204) return;
    this.#exactNow(environment)[status !== 200 ? "refused" : repair === null ? "table" : "repaired"] += 1;
  }

  /** Offers a request that was answered, after its answer was sent. Keeps the body, or nothing, without any reading. */
  offer(
    environment: Environment,
    body: Buffer,
    policy: CompiledPolicy | null,
    { status, repair, side }: Pick<VehicleAnswer, "status" | "repair" | "side">,
  ): void {
    if (status !== 200 || repair !== null || policy === null) return;
    this.#exactNow(environment).answered += 1;
    const draw = this.#draws[environment];
    const isDrawn = draw.count(this.#random()) && body.length <= maxKeptBytes;
    if (isDrawn) draw.put(body, { policy, side });
    if (this.#bucket.take(this.#clocks.elapsed())) this.#keepDrawn(environment);
    if (isDrawn) draw.hold();
  }

  /** Lets the drawn request be read, if there is room. Otherwise the next one stands for these requests, too. */
  #keepDrawn(environment: Environment): void {
    const draw = this.#draws[environment];
    if (draw.drawn === null) return;
    const { body, facts } = draw.drawn;
    const copy = this.#bodies.count < maxKept ? this.#bodies.add(body) : null;
    if (copy !== null) {
      this.#kept.push({ environment, body: copy, ...facts, times: draw.times });
      draw.clear();
    }
    if (copy === null || this.#kept.length >= batch) this.#startWork();
    else this.#later ??= setTimeout(() => this.#startWork(), batchMs).unref();
  }

  #startWork(): void {
    this.#stopLater();
    this.#turn ??= setImmediate(() => this.#work());
  }

  /** Counts a request that a vehicle has repeated while a release is rolled out (rule S13). */
  noteRepeat(side: RolloutSide): void {
    const cell = { of: "side", value: side } as const;
    const count = {
      environment: "production",
      dimension: "repeats",
      value: wholeValue,
      counters: { count: 1 },
    } as const;
    this.outbox.tally(this.#clocks.now()).add({ cell, ...count });
  }

  /** What was counted exactly since the start of this process. */
  totals(environment: Environment): Readonly<Exact> {
    const [before, now] = [this.#folded[environment], this.#exact[environment]];
    return { ...before, ...Object.fromEntries(namesOf(now).map((name) => [name, before[name] + now[name]])) };
  }

  /** Puts everything that was counted into the outbox, and reads what stands for the last requests. */
  seal(): void {
    for (const environment of environments) this.#keepDrawn(environment);
    const now = this.#clocks.now();
    this.#fold();
    this.outbox.seal(now);
  }

  /** Reads what waits, at once. */
  finish(): void {
    for (const environment of environments) this.#keepDrawn(environment);
    while (this.#step());
    this.#stopLater();
  }

  /** Stops reading; requests that wait stay unread. */
  stop(): void {
    if (this.#turn !== null) clearImmediate(this.#turn);
    this.#turn = null;
    this.#stopLater();
    this.#kept.length = 0;
    for (const environment of environments) this.#draws[environment].clear();
    this.#reading = null;
  }

  #stopLater(): void {
    if (this.#later !== null) clearTimeout(this.#later);
    this.#later = null;
  }

  #work(): void {
    const until = this.#clocks.elapsed() + sliceMs;
    let hasMore = this.#step();
    while (hasMore && this.#clocks.elapsed() < until) hasMore = this.#step();
    // Requests that have arrived meanwhile come first.
    this.#turn = hasMore ? setImmediate(() => this.#work()) : null;
  }

  /** Returns whether there is more to do. */
  #step(): boolean {
    if (this.#reading === null) {
      const of = this.#kept.shift();
      if (of === undefined) return false;
      this.#reading = { of, steps: readRequest(of, this.#hasUsage, this.#groups) };
    }
    const { of, steps } = this.#reading;
    try {
      const step = steps.next();
      if (step.done !== true) return true;
      this.#add(of, step.value);
    } catch {
      // A form, or a body for a decryption module.
      this.unreadable += 1;
    }
    this.#exactNow(of.environment).read += 1;
    this.#reading = null;
    this.#bodies.drop();
    return this.#kept.length > 0;
  }

  #add({ environment, side, times }: Kept, { software, country, counts }: Reading): void {
    const at = this.#clocks.now();
    const tally = this.outbox.tally(at);
    const parts: readonly Cell[] = [
      ...(software === null ? [] : [{ of: "software", value: software } as const]),
      ...(country === null ? [] : [{ of: "country", value: country } as const]),
    ];
    for (const cell of [allVehicles, ...parts.filter((part) => this.#cells.admits(part, at))])
      tally.addAll(environment, cell, counts, times);
    if (side === null) return;
    const cell = { of: "side", value: side } as const;
    const answered = { dimension: "sample", value: wholeValue, counters: { answered: 1 } } as const;
    tally.addAll(environment, cell, [answered, ...counts.filter(({ dimension }) => dimension === "apps")], times);
  }

  #exactNow(environment: Environment): Exact {
    if (this.#clocks.now() >= this.#end) this.#fold();
    return this.#exact[environment];
  }

  #fold(): void {
    const { outbox } = this;
    for (const environment of environments) {
      const { answered, read, ...kinds } = this.#exact[environment];
      const place = { environment, cell: allVehicles } as const;
      const tally = outbox.tally(this.#end - 1);
      for (const kind of answerKinds)
        if (kinds[kind] > 0)
          tally.add({ ...place, dimension: "answers", value: kind, counters: { count: kinds[kind] } });
      if (answered > 0 || read > 0)
        tally.add({ ...place, dimension: "sample", value: wholeValue, counters: { answered, read } });
      for (const name of namesOf(this.#exact[environment]))
        this.#folded[environment][name] += this.#exact[environment][name];
    }
    this.#exact = perEnvironment(zeros);
    this.#end = (Math.floor(this.#clocks.now() / unitMs.hour) + 1) * unitMs.hour;
  }
}
