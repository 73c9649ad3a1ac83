"one per process";

import "server-only";
import { Mirror } from "@/lib/platform/auth/mirror";
import { isSecretOf, parseTokenText } from "@/lib/platform/auth/tokens/token-text";
import { inDatabase } from "@/lib/platform/db/connection/connect";
import { inTransaction } from "@/lib/platform/db/transaction";
import { log } from "@/lib/platform/log";
import type { Role } from "@/lib/vocabulary/roles";
import { AccessTokenModel } from "@/models/access/access-token";

const hourMs = 60 * 60 * 1000;

export interface AccessToken {
  readonly id: number;
  readonly name: string;
  readonly role: Role;
  readonly makerId: string | null;
}

export interface UsedToken extends AccessToken {
  /** Resolves when the first use is recorded, which the first response waits for; null: it was used before. */
  readonly firstUse: Promise<void> | null;
}

export interface StoredToken extends Omit<AccessToken, "id" | "makerId"> {
  readonly makerId?: string | null;
  readonly _id: number;
  readonly prefix: string;
  readonly hash: string;
  readonly expiresAt?: Date | null;
  readonly lastUsedAt?: Date | null;
}

interface Known extends AccessToken {
  readonly hash: string;
  readonly expiresAt: Date | null;
  readonly lastUsedAt: Date | null;
}

/** API tokens, mirrored in memory (`people.md` P11). The mirror stays while the database is away. */
export class AccessTokens {
  readonly #known = new Mirror<string, Known>();
  readonly #noted = new Map<number, number>();

  /** The token with this text; null: unknown, revoked or expired. Notes its use. */
  find(text: string, now = new Date()): UsedToken | null {
    const parsed = parseTokenText(text);
    if (parsed === null) return null;
    const known = this.#known.get(parsed.prefix);
    if (!isSecretOf(parsed.secret, known?.hash ?? null) || known === undefined) return null;
    if (known.expiresAt !== null && known.expiresAt <= now) return null;
    const noted = this.#noteUse(known, now);
    const firstUse = known.lastUsedAt === null ? noted : null;
    return { id: known.id, name: known.name, role: known.role, makerId: known.makerId, firstUse };
  }

  add(record: StoredToken): void {
    this.#known.set(record.prefix, toKnown(record));
  }

  remove(id: number): void {
    this.#known.drop((known) => known.id === id);
  }

  async refresh(): Promise<void> {
    await this.#known.refresh(async () => {
      const stored = await inDatabase(() => AccessTokenModel.find({}).lean());
      return stored.map((record) => [record.prefix, toKnown(record)]);
    });
  }

  #noteUse(token: Known, now: Date): Promise<void> | null {
    const hour = Math.floor(now.getTime() / hourMs);
    const noted = Math.max(this.#noted.get(token.id) ?? -1, Math.floor((token.lastUsedAt?.getTime() ?? 0) / hourMs));
    if (noted >= hour) return null;
    this.#noted.set(token.id, hour);
    return storeUse(token, new Date(hour * hourMs)).catch((error: unknown) => {
      this.#noted.delete(token.id);
      log.warn({ token: token.id, err: error }, "could not note the use of a token yet");
    });
  }
}

/** The first instance to note a use also records the token's first use. */
async function storeUse({ id, name, role, lastUsedAt }: Known, hour: Date): Promise<void> {
  if (lastUsedAt !== null) {
    await inDatabase(() => AccessTokenModel.updateOne({ _id: id }, { $max: { lastUsedAt: hour } }));
    return;
  }
  const who = { actor: role, displayName: name, isNameVerified: true, callerIds: [`token:${id}`] };
  await inTransaction({ ...who, route: "token", requestId: null }, async (tx) => {
    tx.keepRevision();
    const unused = { _id: id, lastUsedAt: null };
    const first = await AccessTokenModel.updateOne(unused, { $set: { lastUsedAt: hour } }, { session: tx.session });
    if (first.modifiedCount === 1) tx.record({ action: "token.use", target: `token:${id}` });
    else await AccessTokenModel.updateOne({ _id: id }, { $max: { lastUsedAt: hour } }, { session: tx.session });
  });
}

function toKnown({ _id, name, role, hash, makerId = null, expiresAt, lastUsedAt }: StoredToken): Known {
  return { id: _id, name, role, hash, makerId, expiresAt: expiresAt ?? null, lastUsedAt: lastUsedAt ?? null };
}

let own = new AccessTokens();

export function accessTokens(): AccessTokens {
  return own;
}

export function forgetAccessTokens(): void {
  own = new AccessTokens();
}
