import { firstOf, hashEvent, sealSummary, type Summary } from "@/lib/platform/db/audit-trail";

export interface ChainedEvent extends Readonly<Record<string, unknown>> {
  readonly _id: number;
  readonly previousHash?: string | null | undefined;
  readonly hash?: string | null | undefined;
  readonly summary?: Summary | null | undefined;
}

/** Checks a trail event by event (`gate.md` W11): ids without gaps, and hashes that match the key. */
export class Chain {
  count = 0;
  last: { readonly id: number; readonly hash: string } | null = null;

  constructor(
    readonly key: string,
    readonly first: number | null,
  ) {}

  /** Checks the next event. Returns the id at which the trail is broken, or null. */
  follow(event: ChainedEvent): number | null {
    const { _id: id, hash, previousHash = null, summary } = event;
    const begin = firstOf(event);
    const expected = this.last === null ? this.first : this.last.id + 1;
    if (expected !== null && begin !== expected) return Math.min(begin, expected);
    const isNext = this.last === null || this.last.hash === previousHash;
    if (!isNext || typeof hash !== "string") return begin;
    const isGenuine = summary
      ? sealSummary(event, summary, this.key) === summary.seal
      : hashEvent(event, this.key) === hash;
    if (!isGenuine) return begin;
    this.count += 1;
    this.last = { id, hash };
    return null;
  }
}
