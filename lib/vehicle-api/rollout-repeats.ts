import type { SidedRequest } from "@/lib/policy/answer/answer-vehicle";
import type { RolloutSide } from "@/lib/vocabulary/rollouts";

/** How soon a request counts as repeated, in milliseconds. */
const soonMs = 60_000;
/** Vehicles of a minute that are remembered; further ones are not until others are forgotten. */
const maxVehicles = 50_000;
const sampledBytes = 128;

interface Last {
  readonly at: number;
  readonly groups: number;
}

/**
 * Counts requests that a vehicle repeats within a minute although its groups are the same, as head units do that refuse
 * a table (`fleet.md` S13). Knows vehicles for a minute, in memory, by a hash that ends with the rollout.
 */
export class RolloutRepeats {
  readonly #last = new Map<number, Last>();
  readonly #counts: Record<RolloutSide, number> = { in: 0, out: 0 };

  /** @param now milliseconds of a clock that is never set back */
  note({ side, place, groups }: SidedRequest, now: number): void {
    this.#forget(now);
    if (place === null || groups === null) return;
    const last = this.#last.get(place);
    const digest = digestOf(groups);
    if (last?.groups === digest) this.#counts[side]++;
    // Deleted first, so that the oldest come first.
    else if (last === undefined && this.#last.size >= maxVehicles) return;
    this.#last.delete(place);
    this.#last.set(place, { at: now, groups: digest });
  }

  /** Since this process began. */
  get counts(): Readonly<Record<RolloutSide, number>> {
    return { ...this.#counts };
  }

  get size(): number {
    return this.#last.size;
  }

  /** No rollout is alive. */
  clear(): void {
    this.#last.clear();
  }

  #forget(now: number): void {
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
