"one per process";

import { AsyncLocalStorage } from "node:async_hooks";
import type { ClientSession } from "mongoose";
import { LockModel } from "@/models/database/lock";

/** Another instance has taken over the lock of the running work, which must not write any more. */
export class LockLost extends Error {
  override readonly name = "LockLost";

  constructor(lock: string) {
    super(`Another instance has taken the lock "${lock}" over; what was not done yet is left to it`);
  }
}

export interface HeldLock {
  readonly name: string;
  readonly owner: string;
  /** The work has ended. Background tasks that it started no longer need the lock. */
  isOver: boolean;
  isLost: boolean;
  readonly outer: HeldLock | null;
}

/** Async context that carries the locks, so that writers need no parameter for them. */
const context = new AsyncLocalStorage<HeldLock>();

export async function underLock<T>(
  { name, owner }: Pick<HeldLock, "name" | "owner">,
  work: (lock: HeldLock) => Promise<T>,
): Promise<T> {
  const lock: HeldLock = { name, owner, isOver: false, isLost: false, outer: context.getStore() ?? null };
  try {
    return await context.run(lock, () => work(lock));
  } finally {
    lock.isOver = true;
  }
}

export function holdsItsLocks(): boolean {
  return currentLocks().every(({ isLost }) => !isLost);
}

/** Throws `LockLost` unless the caller still holds its locks: after a pause longer than its lease, it must not write. */
export async function requireHeldLocks(session: ClientSession): Promise<void> {
  for (const lock of currentLocks()) {
    const { name, owner } = lock;
    const own = lock.isLost ? null : await LockModel.findOne({ _id: name, owner }, { _id: 1 }, { session }).lean();
    if (own !== null) continue;
    lock.isLost = true;
    throw new LockLost(name);
  }
}

function currentLocks(): readonly HeldLock[] {
  const locks: HeldLock[] = [];
  for (let lock = context.getStore() ?? null; lock !== null; lock = lock.outer) if (!lock.isOver) locks.push(lock);
  return locks;
}
