import mongoose from "mongoose";
import { sharedState } from "@/lib/shared-state";
import { within } from "@/lib/waits";

/** A question that is not answered within this many milliseconds counts as failed, and the next one is asked. */
const patienceMs = 2_000;

interface LifeSign {
  /** When the first question was asked that has got no answer, while none after it got one. */
  unansweredSince: number | null;
  asking: Promise<void> | null;
}

const state = sharedState<LifeSign>("database-life-sign", () => ({ unansweredSince: null, asking: null }));

/**
 * Asks the database for a sign of life through the connection of this process, unless it is being asked already. The
 * driver may believe in a connection whose other end is silent, or that is gone.
 */
export function askForLife(): void {
  if (state.asking !== null) return;
  const asking = ask().finally(() => {
    if (state.asking === asking) state.asking = null;
  });
  state.asking = asking;
}

/** For how many milliseconds the database has not answered what it was asked; 0 when the last answer came. */
export function silentMs(): number {
  return state.unansweredSince === null ? 0 : Math.max(1, performance.now() - state.unansweredSince);
}

/** Counts the silence anew: this process was busy, and the answer may have come without being read. */
export function forgiveSilence(): void {
  if (state.unansweredSince !== null) state.unansweredSince = performance.now();
}

/** Asks a connection that is new: the answer to what the one before was asked is not waited for. */
export function askAnew(): void {
  state.asking = null;
  askForLife();
}

/** Never rejects. */
async function ask(): Promise<void> {
  const askedAt = performance.now();
  state.unansweredSince ??= askedAt;
  const client = mongoose.connection.getClient();
  const ping = async () => client.db("admin").command({ ping: 1 });
  // Without an answer it stays unanswered since it was asked first.
  const answer = await within(patienceMs, ping(), () => null).catch(() => null);
  // An answer that came through a connection given up meanwhile says nothing about the new one.
  if (answer !== null && client === mongoose.connection.getClient()) state.unansweredSince = null;
}
