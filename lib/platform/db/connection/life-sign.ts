"one per process";

import mongoose from "mongoose";
import { embeddedDatabasePid } from "@/lib/platform/db/connection/address";
import { readThreadUse, type ThreadUse, usableMs } from "@/lib/platform/process/run-time";
import { within } from "@/lib/platform/async";

/** A ping without an answer within this time counts as failed, and the next one is sent. Milliseconds. */
const timeoutMs = 2_000;
const countEveryMs = 100;

interface LifeSign {
  /** Time since the first unanswered ping; null after an answer. */
  silentMs: number | null;
  counting: NodeJS.Timeout | undefined;
  asking: Promise<void> | null;
}

const state: LifeSign = { silentMs: null, counting: undefined, asking: null };

/** Pings the database. The driver may trust a connection whose other end is silent or gone. */
export function requestLifeSign(): void {
  if (state.asking !== null) return;
  const asking = ask().finally(() => {
    if (state.asking === asking) state.asking = null;
  });
  state.asking = asking;
}

/** Milliseconds for which pings have had no answer, not counting time without CPU here or in the embedded database. */
export function silentMs(): number {
  return state.silentMs === null ? 0 : Math.max(1, state.silentMs);
}

export function forgiveSilence(): void {
  if (state.silentMs !== null) state.silentMs = 0;
}

export function askAnew(): void {
  state.asking = null;
  requestLifeSign();
}

async function ask(): Promise<void> {
  if (state.silentMs === null) count();
  const client = mongoose.connection.getClient();
  const heard = () => {
    // An answer on a connection that was replaced says nothing about the new one.
    if (client !== mongoose.connection.getClient()) return;
    clearInterval(state.counting);
    state.silentMs = null;
  };
  const ping = async () => client.db("admin").command({ ping: 1 });
  const answered = ping().then(heard, () => undefined);
  await within(timeoutMs, answered, () => undefined);
}

function count(): void {
  state.silentMs = 0;
  let countedAt = performance.now();
  let use: ThreadUse | null = null;
  clearInterval(state.counting);
  state.counting = setInterval(() => {
    const now = performance.now();
    const pid = embeddedDatabasePid();
    const used = pid === undefined ? null : readThreadUse(pid);
    state.silentMs = (state.silentMs ?? 0) + usableMs(Math.min(now - countedAt, countEveryMs), use, used);
    [countedAt, use] = [now, used];
  }, countEveryMs).unref();
}
