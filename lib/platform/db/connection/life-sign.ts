import mongoose from "mongoose";
import { embeddedDatabasePid } from "@/lib/platform/db/connection/address";
import { readThreadUse, type ThreadUse, usableMs } from "@/lib/platform/process/run-time";
import { processGlobal } from "@/lib/platform/process-globals";
import { within } from "@/lib/platform/async";

/** A question that is not answered within this many milliseconds counts as failed, and the next one is asked. */
const timeoutMs = 2_000;
const countEveryMs = 100;

interface LifeSign {
  /** Since the first question that has got no answer, while none after it got one; null after an answer. */
  silentMs: number | null;
  counting: NodeJS.Timeout | undefined;
  asking: Promise<void> | null;
}

const state = processGlobal<LifeSign>("database-life-sign", () => {
  return { silentMs: null, counting: undefined, asking: null };
});

/** Asks the database for a sign of life. The driver may believe in a connection whose other end is silent or gone. */
export function askForLife(): void {
  if (state.asking !== null) return;
  const asking = ask().finally(() => {
    if (state.asking === asking) state.asking = null;
  });
  state.asking = asking;
}

/** Milliseconds that the database has left a question unanswered, without those in which nobody had a processor. */
export function silentMs(): number {
  return state.silentMs === null ? 0 : Math.max(1, state.silentMs);
}

/** Counts the silence anew, for tests: a machine may be slower than a database may be silent. */
export function forgiveSilence(): void {
  if (state.silentMs !== null) state.silentMs = 0;
}

/** Asks a connection that is new: the answer to what the one before was asked is not waited for. */
export function askAnew(): void {
  state.asking = null;
  askForLife();
}

/** Never rejects. */
async function ask(): Promise<void> {
  if (state.silentMs === null) count();
  const client = mongoose.connection.getClient();
  const heard = () => {
    // An answer that came through a connection given up meanwhile says nothing about the new one.
    if (client !== mongoose.connection.getClient()) return;
    clearInterval(state.counting);
    state.silentMs = null;
  };
  const ping = async () => client.db("admin").command({ ping: 1 });
  // An answer that comes late is a sign as well.
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
    // Whoever is late was busy, or got no processor.
    state.silentMs = (state.silentMs ?? 0) + usableMs(Math.min(now - countedAt, countEveryMs), use, used);
    [countedAt, use] = [now, used];
  }, countEveryMs).unref();
}
