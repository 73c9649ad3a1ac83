"one per process";

import { inDatabase } from "@/lib/platform/db/connection/connect";
import { isDuplicateKey } from "@/lib/platform/db/prepare";
import { log } from "@/lib/platform/log";
import { EndedSessionModel } from "@/models/ended-session";

const hourMs = 60 * 60 * 1000;

/** Sessions that users signed out of (`api.md` 2.1), mirrored in memory. Stored later if the database is away. */
export class EndedSessions {
  /** By session id: when it would have ended, in milliseconds since 1970. */
  readonly #ends = new Map<string, number>();
  readonly #unsaved = new Set<string>();
  #cleanedAt = -Infinity;

  has(id: string): boolean {
    return this.#ends.has(id);
  }

  /** Ends a session: here at once, on other instances at their next refresh. Never throws. */
  async add(id: string, endsAt: number): Promise<void> {
    this.#ends.set(id, endsAt);
    this.#unsaved.add(id);
    try {
      await this.#save();
    } catch (error) {
      log.warn({ err: error }, "could not store a sign-out yet");
    }
  }

  async refresh(): Promise<void> {
    await this.#save();
    const now = Date.now();
    const [holding, over] = [{ endsAt: { $gt: new Date(now) } }, { endsAt: { $lte: new Date(now) } }];
    const stored = await inDatabase(() => EndedSessionModel.find(holding).lean());
    for (const { _id, endsAt } of stored) this.#ends.set(_id, endsAt.getTime());
    if (now - this.#cleanedAt < hourMs) return;
    for (const [id, endsAt] of this.#ends) if (endsAt <= now) this.#ends.delete(id);
    await inDatabase(() => EndedSessionModel.deleteMany(over));
    this.#cleanedAt = now;
  }

  async #save(): Promise<void> {
    for (const id of [...this.#unsaved]) {
      const record = { _id: id, endsAt: new Date(this.#ends.get(id) ?? 0) };
      await inDatabase(() => EndedSessionModel.insertMany([record])).catch(ignoreStored);
      this.#unsaved.delete(id);
    }
  }
}

/** Another instance may have stored the same sign-out. */
function ignoreStored(error: unknown): void {
  if (!isDuplicateKey(error)) throw error;
}

let own = new EndedSessions();

export function endedSessions(): EndedSessions {
  return own;
}

export function forgetEndedSessions(): void {
  own = new EndedSessions();
}
