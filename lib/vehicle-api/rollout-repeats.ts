import type { Sent } from "@/lib/policy/rollout/sent";
import type { SidedRequest } from "@/lib/policy/answer/answer-vehicle";

/** How soon a request counts as repeated, in milliseconds. */
const soonMs = 60_000;
/** Vehicles that are remembered at once: each by its place, which a later one takes. */
const slots = 65_536;
/** Of a slot: the vehicle's place, when it sent its last request, and a digest of its groups. */
const facts = 3;
const sampledBytes = 32;

/**
 * Finds requests that a vehicle repeats within a minute although its groups are the same, as head units do that refuse
 * a table (`fleet.md` S13). Knows vehicles for at most two minutes, in memory, by a hash that ends with the rollout.
 */
export class RolloutRepeats {
  /** One array, because objects that live for a minute cost the garbage collector more than others. */
  #last: Float64Array | null = null;
  #forgetAt = 0;

  /** Whether it is such a request. @param now milliseconds of a clock that is never set back */
  note({ place, groups }: Pick<SidedRequest, "place" | "groups">, now: number): boolean {
    const last = (this.#last ??= new Float64Array(slots * facts).fill(NaN));
    if (now >= this.#forgetAt) this.#forget(last, now);
    if (place === null || groups === null) return false;
    const slot = Math.floor(place * slots) * facts;
    const digest = digestOf(groups);
    const isRepeated = last[slot] === place && (last[slot + 1] ?? NaN) > now - soonMs && last[slot + 2] === digest;
    last[slot] = place;
    last[slot + 1] = now;
    last[slot + 2] = digest;
    return isRepeated;
  }

  /** Vehicles that are remembered. */
  get size(): number {
    return this.#last?.filter((value, at) => at % facts === 0 && !Number.isNaN(value)).length ?? 0;
  }

  /** No rollout is alive. */
  clear(): void {
    this.#last = null;
  }

  #forget(last: Float64Array, now: number): void {
    this.#forgetAt = now + soonMs;
    for (let slot = 0; slot < last.length; slot += facts)
      if ((last[slot + 1] ?? NaN) <= now - soonMs) last.fill(NaN, slot, slot + facts);
  }
}

/** FNV-1a of the length and of bytes in even distances: all of them would take a sixth of an answer. */
function digestOf({ bytes, from, to }: Sent): number {
  let digest = Math.imul(0x811c9dc5 ^ (to - from), 0x01000193);
  const distance = Math.max(1, Math.floor((to - from) / sampledBytes));
  for (let at = from; at < to; at += distance) digest = Math.imul(digest ^ (bytes[at] ?? 0), 0x01000193);
  return digest;
}
