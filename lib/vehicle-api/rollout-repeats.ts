import type { Sent } from "@/lib/policy/rollout/sent";
import type { SidedRequest } from "@/lib/policy/answer/answer-vehicle";

/** How soon a request counts as repeated, in milliseconds. */
const soonMs = 60_000;
/** Vehicles of a minute that are remembered; further ones are not until others are forgotten. */
const maxVehicles = 50_000;
const sampledBytes = 32;
/** How often vehicles are forgotten, in milliseconds. */
const forgetEveryMs = 1_000;
/** As many places as there are small integers, which are found faster. */
const places = 2 ** 30;

interface Last {
  at: number;
  groups: number;
}

/**
 * Finds requests that a vehicle repeats within a minute although its groups are the same, as head units do that refuse
 * a table (`fleet.md` S13). Knows vehicles for a minute, in memory, by a hash that ends with the rollout.
 */
export class RolloutRepeats {
  readonly #last = new Map<number, Last>();
  #forgetAt = 0;

  /** Whether it is such a request. @param now milliseconds of a clock that is never set back */
  note({ place, groups }: Pick<SidedRequest, "place" | "groups">, now: number): boolean {
    if (now >= this.#forgetAt) this.#forget(now);
    if (place === null || groups === null) return false;
    const vehicle = Math.floor(place * places);
    const last = this.#last.get(vehicle);
    if (last === undefined && this.#last.size >= maxVehicles) return false;
    const digest = digestOf(groups);
    const isRepeated = last !== undefined && last.groups === digest && last.at > now - soonMs;
    // So that the oldest come first. Objects that live for a minute cost the garbage collector more than others.
    if (last !== undefined) this.#last.delete(vehicle);
    const kept = last ?? { at: 0, groups: 0 };
    [kept.at, kept.groups] = [Math.floor(now), digest];
    this.#last.set(vehicle, kept);
    return isRepeated;
  }

  get size(): number {
    return this.#last.size;
  }

  /** No rollout is alive. */
  clear(): void {
    this.#last.clear();
  }

  #forget(now: number): void {
    this.#forgetAt = now + forgetEveryMs;
    for (const [place, { at }] of this.#last) {
      if (at > now - soonMs) return;
      this.#last.delete(place);
    }
  }
}

/** FNV-1a of the length and of bytes in even distances: all of them would take a sixth of an answer. */
function digestOf({ bytes, from, to }: Sent): number {
  let digest = Math.imul(0x811c9dc5 ^ (to - from), 0x01000193);
  const distance = Math.max(1, Math.floor((to - from) / sampledBytes));
  for (let at = from; at < to; at += distance) digest = Math.imul(digest ^ (bytes[at] ?? 0), 0x01000193);
  return digest;
}
