import { setTimeout as wait } from "node:timers/promises";
import { MongoClient } from "mongodb";
import mongoose from "mongoose";
import {
  buildClientOptions,
  connectTimeoutMs,
  heartbeatMs,
  nameOfDatabase,
  type DatabaseSettings,
} from "@/lib/platform/db/connection/client-options";
import { databaseState } from "@/lib/platform/db/connection/connect";
import { buildUsableConnection } from "@/lib/platform/settings/connection-string";
import { closeClient, detachClient } from "@/lib/platform/db/connection/drop-client";
import { askAnew, askForLife, silentMs } from "@/lib/platform/db/connection/life-sign";
import { countReplacedConnection } from "@/lib/platform/db/connection/replaced-connections";
import { log } from "@/lib/platform/log";
import { traceCommands } from "@/lib/platform/traces/commands";
import { within } from "@/lib/platform/async";

/*
 * The driver waits forever for a socket that takes no more bytes. If that is its monitor's, the connection stays
 * "connected" whatever happens. Seen with connections that a proxy closed; only a restart helped.
 */

export interface DeadConnectionOptions {
  readonly settings: DatabaseSettings;
  /** Milliseconds without a sign of life after which the connection is replaced, if a new one works. */
  readonly replaceAfterMs: number;
  /** Milliseconds after which `onDead` is called, if a new one works all the time: replacing has not helped. */
  readonly giveUpAfterMs?: number;
  readonly onDead?: () => void;
  readonly everyMs?: number;
}

/** A connection of the driver that is not dead is back this soon after the database. */
const recoveryMs = heartbeatMs + 1_000;

/**
 * Watches this process's connection (`processes.md` N4): if the database gives no sign of life while a new connection
 * gets one, the new one takes over. Models keep working; operations on the old one fail. Returns the end of the watch.
 */
export function watchConnection(options: DeadConnectionOptions): () => void {
  const { everyMs = 1_000 } = options;
  const stopped = new AbortController();
  void (async () => {
    const found: Found = { worksSince: null, replacedAt: -Infinity };
    while (!stopped.signal.aborted) {
      await look(options, found, stopped.signal).catch((error: unknown) => {
        log.error({ err: error }, "checking the database connection failed");
      });
      await wait(everyMs, undefined, { signal: stopped.signal, ref: false }).catch(() => undefined);
    }
  })();
  return () => stopped.abort();
}

interface Found {
  /** Since when new connections work, in this silence. */
  worksSince: number | null;
  replacedAt: number;
}

async function look(options: DeadConnectionOptions, found: Found, stopped: AbortSignal): Promise<void> {
  const { settings, replaceAfterMs, giveUpAfterMs = Infinity, onDead } = options;
  const { status } = databaseState();
  if (status !== "connected" && status !== "disconnected") return;
  askForLife();
  const fresh = silentMs() < replaceAfterMs - recoveryMs ? null : await openFresh(settings);
  found.worksSince = fresh === null ? null : (found.worksSince ?? performance.now());
  if (fresh === null || found.worksSince === null) return;
  const now = performance.now();
  const isDue = silentMs() >= replaceAfterMs && now - found.replacedAt >= replaceAfterMs;
  const isDead = isDue && now - found.worksSince >= Math.min(recoveryMs, replaceAfterMs);
  if (isDead && silentMs() < giveUpAfterMs && !stopped.aborted) {
    found.replacedAt = now;
    await replaceClient(fresh);
    return;
  }
  void closeClient(fresh);
  if (isDead && !stopped.aborted) onDead?.();
}

async function openFresh(settings: DatabaseSettings): Promise<MongoClient | null> {
  const { uri } = buildUsableConnection(settings.uri);
  const client = new MongoClient(uri, buildClientOptions(settings));
  // Mongoose takes the name from here; the one of the connection string also says where a user is looked up.
  Object.assign(client.options, { dbName: nameOfDatabase(settings) });
  try {
    const answered = client.db("admin").command({ hello: 1 });
    if (await within(connectTimeoutMs, answered, () => null)) return client;
  } catch {
    // There is no database, or none that answers: nothing is known about the connection.
  }
  void closeClient(client);
  return null;
}

async function replaceClient(fresh: MongoClient): Promise<void> {
  const silence = Math.round(silentMs());
  const old = await detachClient();
  mongoose.connection.setClient(fresh);
  traceCommands(fresh);
  askAnew();
  // Its sockets may hang, and so may its good-bye.
  if (old !== null) void closeClient(old);
  const times = countReplacedConnection();
  log.warn({ silent_ms: silence, times }, "the dead connection to the database was replaced");
}
