import { randomUUID } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import { toDatabaseError } from "@/lib/db/errors";
import { isDuplicateKey } from "@/lib/db/prepare";
import { LockModel } from "@/models/lock";

/** How a lock is held. Times in milliseconds. */
export interface LockOptions {
  /** The lock of a process that died is free after this time; a living one renews it. */
  readonly ttlMs: number;
  /** Wait for the lock, or give up at once. */
  readonly wait: boolean;
}

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
  const owner = randomUUID();
  while (!(await takeLock(name, owner, ttlMs))) {
    if (!wait) return null;
    await setTimeout(Math.min(ttlMs, 250));
  }
  const renewal = setInterval(() => {
    // A renewal that fails may cost the lock, which is no more than what a crash costs.
    const renewed = { expiresAt: inFuture(ttlMs) };
    void LockModel.updateOne({ _id: name, owner }, { $set: renewed }).catch(() => undefined);
  }, ttlMs / 3);
  try {
    return { result: await work() };
  } finally {
    clearInterval(renewal);
    await LockModel.deleteOne({ _id: name, owner }).catch(() => undefined);
  }
}

async function takeLock(name: string, owner: string, ttlMs: number): Promise<boolean> {
  try {
    const expired = { _id: name, expiresAt: { $lte: inFuture(0) } };
    await LockModel.deleteOne(expired);
    const lock = { _id: name, owner, expiresAt: inFuture(ttlMs) };
    await LockModel.insertMany([lock]);
    return true;
  } catch (error) {
    if (isDuplicateKey(error)) return false;
    throw toDatabaseError(error);
  }
}

function inFuture(ms: number): Date {
  return new Date(Date.now() + ms);
}
