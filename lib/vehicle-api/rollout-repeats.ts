import type { Sent } from "@/lib/policy/rollout/sent";
import type { SidedRequest } from "@/lib/policy/answer/answer-vehicle";

/** How soon a request counts as repeated, in tenths of a second, of which 32 bits count years. */
const soon = 600;
/** How many vehicles are remembered: each in the slot of its place, until a later one replaces it. */
const slots = 16_384;
/** Of a slot: the vehicle's place, when it sent its last request (0: nobody is there), and a digest of its groups. */
const facts = 3;
const sampledBytes = 32;

/**
 * Finds requests that a vehicle repeats within a minute although its groups are the same, as head units do that refuse
 * a table (`fleet.md` S13). Knows vehicles for at most two minutes, in memory, by a hash that ends with the rollout.
 */
export class RolloutRepeats {
  /** One array, because objects that live for a minute cost the garbage collector more than others. */
  readonly #last = new Int32Array(slots * facts);
  /** 0: nobody is remembered. */
  #forgetAt = 0;

  /** Whether it is such a request. @param milliseconds of a clock that is never set back */
  note({ place, groups }: Pick<SidedRequest, "place" | "groups">, milliseconds: number): boolean {
    const now = Math.floor(milliseconds / 100) + 1;
    const last = this.#last;
    if (now >= this.#forgetAt) this.#forget(now);
    if (place === null || groups === null) return false;
    const slot = Math.floor(place * slots) * facts;
    const [vehicle, digest] = [(place * 2 ** 32) | 0, digestOf(groups)];
    const isRepeated = last[slot] === vehicle && (last[slot + 1] ?? 0) > now - soon && last[slot + 2] === digest;
    last[slot] = vehicle;
    last[slot + 1] = now;
    last[slot + 2] = digest;
    return isRepeated;
  }

  get size(): number {
    return this.#last.filter((value, at) => at % facts === 1 && value > 0).length;
  }

  clear(): void {
    if (this.#forgetAt > 0) this.#last.fill(0);
    this.#forgetAt = 0;
  }

  #forget(now: number): void {
    this.#forgetAt = now + soon;
    for (let slot = 0; slot < this.#last.length; slot += facts)
      if ((this.#last[slot + 1] ?? 0) <= now - soon) this.#last.fill(0, slot, slot + facts);
  }
}

/** FNV-1a of the length and of bytes in even distances: all of them would take a sixth of an answer. */
function digestOf({ bytes, from, to }: Sent): number {
  let digest = Math.imul(0x811c9dc5 ^ (to - from), 0x01000193);
  const distance = Math.max(1, Math.floor((to - from) / sampledBytes));
  for (let at = from; at < to; at += distance) digest = Math.imul(digest ^ (bytes[at] ?? 0), 0x01000193);
  return digest;
}
