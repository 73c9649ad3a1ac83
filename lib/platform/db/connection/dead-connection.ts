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
import { askAnew, requestLifeSign, silentMs } from "@/lib/platform/db/connection/life-sign";
import { countReplacedConnection } from "@/lib/platform/db/connection/replaced-connections";
import { log } from "@/lib/platform/log";
import { traceCommands } from "@/lib/platform/traces/commands";
import { within } from "@/lib/platform/async";

// The driver waits forever for a socket that takes no more bytes. If its monitor uses that socket, the connection stays
// "connected" whatever happens. Seen with connections that a proxy had closed; only a restart helped.

export interface DeadConnectionOptions {
  readonly settings: DatabaseSettings;
  readonly replaceAfterMs: number;
  /** Milliseconds of silence after which `onDead` is called, if new connections keep working: replacing did not help. */
  readonly giveUpAfterMs?: number;
  readonly onDead?: () => void;
  readonly everyMs?: number;
}

/** A live driver connection recovers within this time after the database does. */
const recoveryMs = heartbeatMs + 1_000;

/** Watches the connection (`processes.md` N4): if the database answers only a new one, the new one takes over. */
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
  worksSince: number | null;
  replacedAt: number;
}

async function look(options: DeadConnectionOptions, found: Found, stopped: AbortSignal): Promise<void> {
  const { settings, replaceAfterMs, giveUpAfterMs = Infinity, onDead } = options;
  const { status } = databaseState();
  if (status !== "connected" && status !== "disconnected") return;
  requestLifeSign();
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
  // Mongoose reads the name from here. In the connection string, it would also select the authentication database.
  Object.assign(client.options, { dbName: nameOfDatabase(settings) });
  try {
    const answered = client.db("admin").command({ hello: 1 });
    if (await within(connectTimeoutMs, answered, () => null)) return client;
  } catch {
    // The database is away or silent, which says nothing about the connection.
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
  // Not awaited: its sockets may hang, and so may its close.
  if (old !== null) void closeClient(old);
  const times = countReplacedConnection();
  log.warn({ silent_ms: silence, times }, "the dead connection to the database was replaced");
}
