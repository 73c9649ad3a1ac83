import { randomUUID } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import { toDatabaseError } from "@/lib/db/errors";
import { isDuplicateKey } from "@/lib/db/prepare";
import { isGone, processIdentity } from "@/lib/db/process-identity";
import { sharedState } from "@/lib/db/shared-state";
import { LockModel } from "@/models/lock";

/** How a lock is held. Times in milliseconds. */
export interface LockOptions {
  /** The lock of a process that died is free after this time at the latest; a living one renews it. */
  readonly ttlMs: number;
  /** Wait for the lock, or give up at once. */
  readonly wait: boolean;
}

/** The locks that this process holds now: their names by their owners. */
const heldHere = sharedState("held-locks", () => new Map<string, string>());

/**
 * Runs `work` while no other process, and nobody else in this one, holds the lock of this name. The lock only avoids
 * doing things twice at the same time: what must not happen twice needs a transaction.
 *
 * @returns what `work` returned, in `result`; null when the lock was taken and `wait` is false
 * @throws DatabaseUnavailable, and whatever `work` throws
 */
export async function withLock<T>(
  name: string,
  { ttlMs, wait }: LockOptions,
  work: () => Promise<T>,
): Promise<{ readonly result: T } | null> {
  const owner = `${processIdentity}/${randomUUID()}`;
  while (!(await takeLock(name, owner, ttlMs))) {
    if (!wait) return null;
    await setTimeout(Math.min(ttlMs, 250));
  }
  heldHere.set(owner, name);
  const renewal = setInterval(() => {
    // A renewal that fails may cost the lock, which is no more than what a crash costs.
    const renewed = { expiresAt: inFuture(ttlMs) };
    void LockModel.updateOne({ _id: name, owner }, { $set: renewed }).catch(() => undefined);
  }, ttlMs / 3);
  try {
    return { result: await work() };
  } finally {
    clearInterval(renewal);
    heldHere.delete(owner);
    await LockModel.deleteOne({ _id: name, owner }).catch(() => undefined);
  }
}

/** The locks among these names that are held now, by whomever. */
export async function findHeldLocks(names: readonly string[]): Promise<ReadonlySet<string>> {
  const locks = await LockModel.find({ _id: { $in: [...names] } }).lean();
  const held = locks.filter(({ owner, expiresAt }) => expiresAt.getTime() > Date.now() && !isOfGoneProcess(owner));
  return new Set(held.map(({ _id }) => _id));
}

/** Gives up what this process holds; for its end, when work under way is not waited for any longer. Never fails. */
export async function releaseLocks(): Promise<void> {
  if (heldHere.size === 0) return;
  const mine = { _id: { $in: [...heldHere.values()] }, owner: { $in: [...heldHere.keys()] } };
  await LockModel.deleteMany(mine).catch(() => undefined);
  heldHere.clear();
}

async function takeLock(name: string, owner: string, ttlMs: number): Promise<boolean> {
  try {
    const expired = { _id: name, expiresAt: { $lte: inFuture(0) } };
    await LockModel.deleteOne(expired);
    const lock = { _id: name, owner, expiresAt: inFuture(ttlMs) };
    await insertLock(lock);
    return true;
  } catch (error) {
    if (isDuplicateKey(error)) return false;
    throw toDatabaseError(error);
  }
}

/** A start after a crash need not wait for the lock of the process that crashed: its end can be seen. */
async function insertLock(lock: { _id: string; owner: string; expiresAt: Date }): Promise<void> {
  try {
    await LockModel.insertMany([lock]);
  } catch (error) {
    const holder = isDuplicateKey(error) ? await LockModel.findOne({ _id: lock._id }).lean() : null;
    if (holder === null || !isOfGoneProcess(holder.owner)) throw error;
    await LockModel.deleteOne({ _id: lock._id, owner: holder.owner });
    await LockModel.insertMany([lock]);
  }
}

function isOfGoneProcess(owner: string): boolean {
  return isGone(owner.slice(0, owner.lastIndexOf("/")));
}

function inFuture(ms: number): Date {
  return new Date(Date.now() + ms);
}
