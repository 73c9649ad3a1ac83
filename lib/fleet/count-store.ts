import "server-only";
import { type CountBatch, batchSchema } from "@/lib/fleet/batch";
import { CellLimit } from "@/lib/fleet/cell-limit";
import { type Count, unitMs } from "@/lib/fleet/dimensions";
import { readKeysText, type ReleaseKeys } from "@/lib/fleet/release-key";
import { findOldestCurrent, findReleases, saveReleaseKeys } from "@/lib/fleet/release-keys";
import { addCounts, removeOldCounts } from "@/lib/fleet/stored-counts";
import { DatabaseUnavailable } from "@/lib/platform/db/connection/errors";
import { log } from "@/lib/platform/log";

const removeEveryMs = unitMs.hour;
const lookEveryMs = unitMs.hour;
/** Served revisions whose keys wait for the database. */
const maxWaiting = 20;

/** Of a car whose groups are those of no release. */
export const unknownRelease = "unknown";

/** Stores what all processes of this server have counted, one batch after the other (rule S5). */
export class CountStore {
  /** Requests of cars in production by how current their release was (`operations.md` O3a). Three numbers, whatever cars send. */
  readonly adoption = { current: 0, outdated: 0, unknown: 0 };
  #oldest = { release: 0, until: -Infinity };
  readonly #cells = new CellLimit();
  readonly #taken = new Map<string, Promise<boolean>>();
  readonly #keys = new Map<number, readonly ReleaseKeys[]>();
  #working: Promise<unknown> = Promise.resolve();
  readonly #now: () => number;
  #removedAt = -Infinity;

  constructor(now = () => Date.now()) {
    this.#now = now;
  }

  /** Returns whether the batch is stored, so that it need not come again. Never rejects. */
  take(batch: unknown): Promise<boolean> {
    const parsed = batchSchema.safeParse(batch);
    if (!parsed.success) {
      log.warn({ err: parsed.error }, "counts of requests could not be read; they are dropped");
      return Promise.resolve(true);
    }
    const { id } = parsed.data;
    const taken = this.#taken.get(id) ?? this.#inTurn(() => this.#store(parsed.data));
    this.#taken.set(id, taken);
    return taken.finally(() => this.#taken.delete(id));
  }

  /** Notes what vehicles get from now on (rule S4). */
  noteServed(revision: number, keys: readonly ReleaseKeys[]): void {
    const [oldest] = this.#keys.keys();
    if (this.#keys.size >= maxWaiting && oldest !== undefined) this.#keys.delete(oldest);
    this.#keys.set(revision, keys);
    void this.#inTurn(() => this.#saveKeys());
  }

  /** Resolves once what was taken is stored, or could not be. */
  async stop(): Promise<void> {
    await this.#working;
  }

  #inTurn(work: () => Promise<void>): Promise<boolean> {
    const done = this.#working.then(async () => {
      try {
        await work();
        return true;
      } catch (error) {
        if (!(error instanceof DatabaseUnavailable))
          log.warn({ err: error }, "counts of requests could not be stored; trying again");
        return false;
      }
    });
    this.#working = done;
    return done;
  }

  async #store({ id, at, counts }: CountBatch): Promise<void> {
    await this.#saveKeys();
    const kept = counts.filter(({ cell }) => this.#cells.admits(cell, at));
    const told = await withReleases(kept);
    const now = this.#now();
    if (now >= this.#oldest.until) this.#oldest = { release: await findOldestCurrent(now), until: now + lookEveryMs };
    await addCounts(at, told, id);
    this.#countAdoption(told);
    if (now - this.#removedAt < removeEveryMs) return;
    this.#removedAt = now;
    await removeOldCounts(now).catch(() => {
      this.#removedAt = -Infinity;
    });
  }

  #countAdoption(counts: readonly Count[]): void {
    for (const { environment, cell, dimension, value, counters } of counts) {
      if (environment !== "production" || cell.of !== "all" || dimension !== "releases") continue;
      const isKnown = value !== unknownRelease;
      const state = isKnown ? (Number(value) >= this.#oldest.release ? "current" : "outdated") : "unknown";
      this.adoption[state] += counters["count"] ?? 0;
    }
  }

  async #saveKeys(): Promise<void> {
    for (const [revision, keys] of this.#keys) {
      await saveReleaseKeys(revision, keys);
      this.#keys.delete(revision);
    }
  }
}

/** Turns the keys of cars into numbers of releases. */
async function withReleases(counts: readonly Count[]): Promise<readonly Count[]> {
  const isKey = ({ dimension }: Count) => dimension === "releases";
  const releases = await findReleases(counts.filter(isKey).map(({ value }) => readKeysText(value)));
  const releaseOf = (value: string) => releases.get(readKeysText(value).whole)?.toString() ?? unknownRelease;
  return counts.map((count) => (isKey(count) ? { ...count, value: releaseOf(count.value) } : count));
}
