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
  readonly at: number;
  readonly groups: number;
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
    // So that the oldest come first.
    this.#last.delete(vehicle);
    this.#last.set(vehicle, { at: now, groups: digest });
    return last !== undefined && last.groups === digest && last.at > now - soonMs;
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
function digestOf(bytes: Buffer): number {
  let digest = Math.imul(0x811c9dc5 ^ bytes.length, 0x01000193);
  const distance = Math.max(1, Math.floor(bytes.length / sampledBytes));
  for (let at = 0; at < bytes.length; at += distance) digest = Math.imul(digest ^ (bytes[at] ?? 0), 0x01000193);
  return digest;
}
