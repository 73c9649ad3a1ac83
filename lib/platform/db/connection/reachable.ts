import mongoose, { type ClientSession } from "mongoose";
import { databaseState, requireDatabase } from "@/lib/platform/db/connection/connect";
import { DatabaseUnavailable } from "@/lib/platform/db/connection/errors";
import { askForLife, silentMs } from "@/lib/platform/db/connection/life-sign";

type TransactionOptions = Parameters<typeof mongoose.connection.transaction>[1];

/** How long a database may be gone in the middle of a transaction or a read before its caller is told, in milliseconds. */
const timeoutMs = 1_500;
const lookEveryMs = 100;
/** Who has waited this long has the database asked for a sign of life; its silence is found out sooner than by the driver. */
const askAfterMs = 250;
/** Silence of the database until its caller is told, in milliseconds: callers are answered within 3 s. */
const silenceMs = 2_000;

/** Runs a transaction, but gives up soon after the database went away. If that is at the commit, the outcome is unknown. */
export async function runReachable<T>(
  work: (session: ClientSession) => Promise<T>,
  options: TransactionOptions,
): Promise<T> {
  let open: ClientSession | null = null;
  let isGivenUp = false;
  const running = mongoose.connection.transaction(async (session) => {
    // Whoever asked for it has been told that it failed.
    if (isGivenUp) throw new DatabaseUnavailable("The transaction was given up.");
    open = session;
    // Asked at every repetition: without a connection the next attempt would only wait.
    await requireDatabase();
    return work(session);
  }, options);
  const watch = watchLoss();
  try {
    return await Promise.race([running, watch.lost]);
  } catch (error) {
    // Ends the driver's own repetitions; what it still reports concerns nobody. Not waited for: its end is told to the
    // database, which may be silent.
    isGivenUp = true;
    running.catch(() => undefined);
    (open as ClientSession | null)?.endSession().catch(() => undefined);
    throw error;
  } finally {
    watch.stop();
  }
}

/** Waits for a read, but gives up like `runReachable`. Never for a write: it might still be done after the failure. */
export async function whileReachable<T>(reading: Promise<T>): Promise<T> {
  const watch = watchLoss();
  try {
    return await Promise.race([reading, watch.lost]);
  } finally {
    watch.stop();
  }
}

/** A promise that rejects when the database has been away, or silent, for a while in which this process listened. */
function watchLoss(): { readonly lost: Promise<never>; stop(): void } {
  const since = performance.now();
  let lookedAt = since;
  let awayMs = 0;
  let timer: NodeJS.Timeout | undefined;
  const lost = new Promise<never>((_resolve, reject) => {
    timer = setInterval(() => {
      const now = performance.now();
      // Whoever looks late was busy, or got no processor: what came meanwhile has not been read.
      const lookedMs = Math.min(now - lookedAt, lookEveryMs);
      lookedAt = now;
      awayMs = databaseState().status === "disconnected" ? awayMs + lookedMs : 0;
      if (awayMs > timeoutMs) reject(new DatabaseUnavailable("The connection to the database was lost."));
      if (now - since < askAfterMs) return;
      askForLife();
      if (silentMs() > silenceMs) reject(new DatabaseUnavailable("The database does not answer."));
    }, lookEveryMs);
  });
  return { lost, stop: () => clearInterval(timer) };
}
