import { randomUUID } from "node:crypto";
import { type CountBatch, maxBatch } from "@/lib/fleet/batch";
import { unitMs } from "@/lib/fleet/dimensions";
import { Tally } from "@/lib/fleet/tally";

/** Hours that wait at most, besides the current one. */
const maxWaitingMs = 2 * unitMs.hour;

/** Counts by hour until the console has stored them, each exactly once (rule S5). Times: milliseconds since 1970. */
export class Outbox {
  readonly #name = randomUUID();
  #made = 0;
  readonly #open = new Map<number, Tally>();
  /** What is being handed over, in pieces; what is counted meanwhile waits in `#open`. */
  readonly #sealed = new Map<number, Tally>();
  #sent: CountBatch | null = null;
  /** Values that were counted as "other", or dropped with their hour. */
  others = 0;
  dropped = 0;

  get isEmpty(): boolean {
    return this.#sent === null && [...this.#open.values(), ...this.#sealed.values()].every(({ isEmpty }) => isEmpty);
  }

  tally(at: number): Tally {
    const hour = Math.floor(at / unitMs.hour) * unitMs.hour;
    const tally = this.#open.get(hour) ?? new Tally();
    this.#open.set(hour, tally);
    return tally;
  }

  /** Closes what was counted so far, so that `next` hands it over. Drops what could not be handed over for two hours. */
  seal(now: number): void {
    if (this.#sent !== null && this.#sent.at < now - maxWaitingMs) {
      this.dropped += this.#sent.counts.length;
      this.#sent = null;
    }
    for (const waiting of [this.#sealed, this.#open]) {
      for (const [hour, tally] of waiting) {
        if (hour >= now - maxWaitingMs) continue;
        while (!tally.isEmpty) this.dropped += tally.take(maxBatch).length;
        waiting.delete(hour);
      }
    }
    for (const [hour, tally] of this.#open) {
      if (this.#sealed.has(hour)) continue;
      this.others += tally.others;
      this.#sealed.set(hour, tally);
      this.#open.delete(hour);
    }
  }

  /** What to hand over now: the same until it is acknowledged; null: nothing. */
  next(): CountBatch | null {
    if (this.#sent !== null) return this.#sent;
    for (const [at, tally] of this.#sealed) {
      const counts = tally.take(maxBatch);
      if (tally.isEmpty) this.#sealed.delete(at);
      if (counts.length > 0) return (this.#sent = { id: `${this.#name} ${++this.#made}`, at, counts });
    }
    return null;
  }

  /** Returns whether it was the one under way. */
  acknowledge(id: string): boolean {
    if (this.#sent?.id !== id) return false;
    this.#sent = null;
    return true;
  }
}
