import type { ClientSession } from "mongoose";
import { requireDatabase } from "@/lib/platform/db/connection/connect";
import { inTransaction, type Transaction, type WriteContext } from "@/lib/platform/db/transaction";
import { AppError } from "@/lib/platform/errors";
import { ReleaseFreezeModel } from "@/models/release-freeze";

const _id = "freeze";

export interface Freeze {
  readonly from: Date;
  readonly to: Date;
  readonly reason: string;
}

type FreezeJson = Readonly<Record<"from" | "to" | "reason", string>> & { readonly is_active: boolean };

export async function findFreeze(session: ClientSession | null = null): Promise<Freeze | null> {
  await requireDatabase();
  const found = await ReleaseFreezeModel.findById(_id).session(session).lean();
  return found === null ? null : { from: found.from, to: found.to, reason: found.reason };
}

export function isFrozen(freeze: Freeze | null, at: Date): boolean {
  return freeze !== null && freeze.from <= at && at < freeze.to;
}

export function toFreezeJson(freeze: Freeze | null, now: Date): FreezeJson | null {
  if (freeze === null) return null;
  const { from, to, reason } = freeze;
  return { from: from.toISOString(), to: to.toISOString(), reason, is_active: isFrozen(freeze, now) };
}

export async function loadFreeze(): Promise<FreezeJson | null> {
  return toFreezeJson(await findFreeze(), new Date());
}

/** Throws AppError 409 with `data.freeze` during a freeze (`releases.md` L14); it must abort the transaction. */
export async function requireNoFreeze({ session, now }: Transaction, at = now): Promise<void> {
  const freeze = await findFreeze(session);
  if (freeze !== null && isFrozen(freeze, at)) refuseFrozen(freeze, now);
}

export const frozenSentence = ({ to, reason }: Freeze) => `Publishing is frozen until ${to.toISOString()}: ${reason}`;

export function refuseFrozen(freeze: Freeze, now: Date): never {
  throw new AppError("conflict", frozenSentence(freeze), { data: { freeze: toFreezeJson(freeze, now) } });
}

/**
 * Sets or lifts (null) the freeze (`releases.md` L14). Raises the revision although no table changes: this conflicts
 * with every publication in progress, so that one of the two is repeated and sees the other.
 */
export async function saveFreeze(freeze: Freeze | null, writer: WriteContext): Promise<FreezeJson | null> {
  return inTransaction(writer, async (tx) => {
    const { session, now } = tx;
    const before = await findFreeze(session);
    if (freeze === null) await ReleaseFreezeModel.deleteOne({ _id }, { session });
    else await ReleaseFreezeModel.replaceOne({ _id }, { _id, ...freeze }, { session, upsert: true });
    tx.record({
      action: freeze === null ? "releases.unfreeze" : "releases.freeze",
      target: "releases",
      before: toFreezeJson(before, now),
      after: toFreezeJson(freeze, now),
    });
    return toFreezeJson(freeze, now);
  });
}
