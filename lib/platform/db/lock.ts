"one per process";

import { randomUUID } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import { type Clock, realClock } from "@/lib/platform/db/clock";
import { toDatabaseError } from "@/lib/platform/db/connection/errors";
import { underLock, type HeldLock } from "@/lib/platform/db/held-locks";
import { isDuplicateKey } from "@/lib/platform/db/prepare";
import { isGone, processIdentity } from "@/lib/platform/db/connection/process-identity";
import { endWriter } from "@/lib/platform/db/writers";
import { LockModel, type LockRecord } from "@/models/database/lock";

/** Milliseconds until the lock of a dead process is free. A live process renews it three times in that time. */
export const leaseMs = 60_000;
/** After this many leases without a renewal, a lock is free whatever its time: the holder's clock may be years ahead. */
const leasesUnchanged = 4;

export interface LockOptions {
  readonly ttlMs?: number;
  readonly wait: boolean;
  readonly clock?: Clock;
}

const heldHere = new Map<string, string>();
const seen = new Map<string, { readonly stamp: string; readonly since: number }>();

/** Runs `work` while nobody else holds the lock. Null: taken, and `wait` is false. Once lost, `work` cannot write. */
export async function withLock<T>(
  name: string,
  { ttlMs = leaseMs, wait, clock = realClock }: LockOptions,
  work: () => Promise<T>,
): Promise<{ readonly result: T } | null> {
  const owner = `${processIdentity}/${randomUUID()}`;
  while (!(await takeLock(name, owner, ttlMs, clock))) {
    if (!wait) return null;
    await setTimeout(Math.min(ttlMs, 250));
  }
  heldHere.set(owner, name);
  try {
    return await underLock({ name, owner }, async (lock) => {
      const endRenewal = clock.every(ttlMs / 3, () => {
        void renew(lock, clock.now() + ttlMs);
      });
      try {
        return { result: await work() };
      } finally {
        endRenewal();
      }
    });
  } finally {
    heldHere.delete(owner);
    await LockModel.deleteOne({ _id: name, owner }).catch(() => undefined);
  }
}

/** A failed renewal may lose the lock, which is no worse than a crash. */
async function renew(lock: HeldLock, until: number): Promise<void> {
  const { name, owner } = lock;
  try {
    const renewed = await LockModel.updateOne({ _id: name, owner }, { $set: { expiresAt: new Date(until) } });
    if (renewed.matchedCount === 0 && !lock.isOver) lock.isLost = true;
  } catch {
    // The next renewal or transaction shows whether it is lost.
  }
}

export async function findHeldLocks(names: readonly string[], clock: Clock = realClock): Promise<ReadonlySet<string>> {
  const locks = await LockModel.find({ _id: { $in: [...names] } }).lean();
  return new Set(locks.filter((lock) => !isFree(lock, leaseMs, clock)).map(({ _id }) => _id));
}

/** Releases the locks of this process when it exits without waiting for its work. Never throws. */
export async function releaseLocks(): Promise<void> {
  if (heldHere.size === 0) return;
  const mine = { _id: { $in: [...heldHere.values()] }, owner: { $in: [...heldHere.keys()] } };
  await LockModel.deleteMany(mine).catch(() => undefined);
  heldHere.clear();
}

async function takeLock(name: string, owner: string, ttlMs: number, clock: Clock): Promise<boolean> {
  try {
    const held = await LockModel.findOne({ _id: name }).lean();
    if (held !== null) {
      if (!isFree(held, ttlMs, clock)) return false;
      // Only if unchanged: another process may have been faster.
      await LockModel.deleteOne({ _id: name, owner: held.owner, expiresAt: held.expiresAt });
      // A transaction that the previous holder has begun would not be refused.
      await endWriter(processOf(held));
    }
    const lock = { _id: name, owner, expiresAt: new Date(clock.now() + ttlMs) };
    await LockModel.insertMany([lock]);
    return true;
  } catch (error) {
    if (isDuplicateKey(error)) return false;
    throw toDatabaseError(error);
  }
}

function processOf({ owner }: LockRecord): string {
  return owner.slice(0, owner.lastIndexOf("/"));
}

/** After a crash, a restart need not wait for the old process's lock: `isGone` detects its end. */
function isFree(lock: LockRecord, ttlMs: number, clock: Clock): boolean {
  const { _id: name, owner, expiresAt } = lock;
  if (expiresAt.getTime() <= clock.now() || isGone(processOf(lock))) return true;
  const stamp = `${owner} ${expiresAt.getTime()}`;
  const first = seen.get(name);
  if (first?.stamp !== stamp) {
    seen.set(name, { stamp, since: clock.elapsed() });
    return false;
  }
  return clock.elapsed() - first.since >= leasesUnchanged * ttlMs;
}
