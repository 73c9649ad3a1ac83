import mongoose, { type ClientSession } from "mongoose";
import { databaseState, requireDatabase } from "@/lib/platform/db/connection/connect";
import { DatabaseUnavailable } from "@/lib/platform/db/connection/errors";
import { requestLifeSign, silentMs } from "@/lib/platform/db/connection/life-sign";

type TransactionOptions = Parameters<typeof mongoose.connection.transaction>[1];

/** How long the database may be away during a transaction or read before the caller gets an error, in milliseconds. */
const timeoutMs = 1_500;
const checkEveryMs = 100;
/** After this wait, pings the database: that detects its silence sooner than the driver does. */
const askAfterMs = 250;
/** Maximum silence of the database before the caller gets an error, in milliseconds: callers get a response within 3 s. */
const silenceMs = 2_000;

/** Runs a transaction, but gives up soon after the database goes away. At the commit, the outcome is then unknown. */
export async function runReachable<T>(
  work: (session: ClientSession) => Promise<T>,
  options: TransactionOptions,
): Promise<T> {
  let open: ClientSession | null = null;
  let isGivenUp = false;
  const running = mongoose.connection.transaction(async (session) => {
    // The caller has already received an error.
    if (isGivenUp) throw new DatabaseUnavailable("The transaction was given up.");
    open = session;
    // Checked at each attempt: without a connection, it would only wait.
    await requireDatabase();
    return work(session);
  }, options);
  const watch = watchLoss();
  try {
    return await Promise.race([running, watch.lost]);
  } catch (error) {
    // Ends the driver's retries; nobody needs its later errors. Not awaited: it contacts the database, which may be silent.
    isGivenUp = true;
    running.catch(() => undefined);
    (open as ClientSession | null)?.endSession().catch(() => undefined);
    throw error;
  } finally {
    watch.stop();
  }
}

/** Waits for a read, but gives up like `runReachable`. Never for a write, which could still succeed after the error. */
export async function whileReachable<T>(reading: Promise<T>): Promise<T> {
  const watch = watchLoss();
  try {
    return await Promise.race([reading, watch.lost]);
  } finally {
    watch.stop();
  }
}

function watchLoss(): { readonly lost: Promise<never>; stop(): void } {
  const since = performance.now();
  let lookedAt = since;
  let awayMs = 0;
  let timer: NodeJS.Timeout | undefined;
  const lost = new Promise<never>((_resolve, reject) => {
    timer = setInterval(() => {
      const now = performance.now();
      // A late timer means that this process was busy, or had no CPU, so answers may be waiting unread.
      const lookedMs = Math.min(now - lookedAt, checkEveryMs);
      lookedAt = now;
      awayMs = databaseState().status === "disconnected" ? awayMs + lookedMs : 0;
      if (awayMs > timeoutMs) reject(new DatabaseUnavailable("The connection to the database was lost."));
      if (now - since < askAfterMs) return;
      requestLifeSign();
      if (silentMs() > silenceMs) reject(new DatabaseUnavailable("The database does not answer."));
    }, checkEveryMs);
  });
  return { lost, stop: () => clearInterval(timer) };
}
