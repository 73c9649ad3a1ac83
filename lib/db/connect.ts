import { setTimeout } from "node:timers/promises";
import mongoose from "mongoose";
import { buildUsableConnection } from "@/lib/db/connection-string";
import { DatabaseRefused, DatabaseUnavailable, isDatabaseRefused } from "@/lib/db/errors";
import { sharedState } from "@/lib/db/shared-state";

/** How to reach the database. */
export interface DatabaseSettings {
  readonly uri: string;
  /** Name of the database; without it the one of the URI, else `policy_server`. */
  readonly dbName?: string | undefined;
  /** Connections in the pool, 10 when not given. */
  readonly maxPoolSize?: number | undefined;
  /** Milliseconds to look for a usable server before giving up, 5000 when not given. */
  readonly timeoutMs?: number | undefined;
}

/** `idle`: nobody has called `connect`. `refused`: the database cannot be used until its operator changes it. */
export type DatabaseStatus = "idle" | "connecting" | "connected" | "disconnected" | "refused";

interface Connecting {
  task: Promise<void> | null;
  ready: boolean;
  refusal: DatabaseRefused | null;
  lastError: Error | null;
  stop: AbortController | null;
  timeoutMs: number;
}

const state = sharedState<Connecting>("database", () => ({
  task: null,
  ready: false,
  refusal: null,
  lastError: null,
  stop: null,
  timeoutMs: 5000,
}));

const retryDelayMs = 1000;
const standaloneText =
  "The MongoDB server is a standalone server, but transactions need a replica set; one node is enough: " +
  'start mongod with --replSet rs0, run rs.initiate() once in mongosh, and add "?replicaSet=rs0" to MONGODB_URI.';

/**
 * Connects once per process; later calls, from whatever bundle, wait for the same connection. While the database is
 * out of reach connecting goes on in the background, whether or not anybody waits.
 *
 * @throws DatabaseUnavailable when there is no connection within `timeoutMs`
 * @throws DatabaseRefused for a standalone server (rule B2)
 */
export async function connect(settings: DatabaseSettings): Promise<void> {
  if (state.task === null) {
    state.timeoutMs = settings.timeoutMs ?? 5000;
    state.stop = new AbortController();
    state.task = keepConnecting(settings, state.stop.signal);
  }
  await requireDatabase();
}

/**
 * Waits for the connection that somebody else has started, at most as long as its `timeoutMs`; once there has been a
 * connection it answers at once.
 *
 * @throws DatabaseUnavailable, DatabaseRefused as `connect`
 */
export async function requireDatabase(): Promise<void> {
  if (!state.ready && state.refusal === null && state.task !== null) {
    await withinTime(state.task, state.timeoutMs);
  }
  if (state.refusal !== null) throw state.refusal;
  if (databaseState().status !== "connected") {
    throw new DatabaseUnavailable("The database cannot be reached.", { cause: state.lastError });
  }
}

/** What is known about the connection, without asking the database. `error` names no host and no secret. */
export function databaseState(): { readonly status: DatabaseStatus; readonly error: string | null } {
  if (state.refusal !== null) return { status: "refused", error: state.refusal.message };
  if (state.task === null) return { status: "idle", error: null };
  if (!state.ready) return { status: "connecting", error: state.lastError?.name ?? null };
  const isUp = mongoose.connection.readyState === mongoose.ConnectionStates.connected;
  return isUp ? { status: "connected", error: null } : { status: "disconnected", error: "The database went away." };
}

/** Closes the connection and forgets it, so that `connect` may be called again. */
export async function disconnect(): Promise<void> {
  state.stop?.abort();
  await state.task;
  await mongoose.disconnect();
  Object.assign(state, { task: null, ready: false, refusal: null, lastError: null, stop: null });
}

/** Ends when connected, refused or stopped; never rejects. */
async function keepConnecting(settings: DatabaseSettings, stopped: AbortSignal): Promise<void> {
  // An operation before the first connection must fail at once, not wait in a queue of Mongoose.
  mongoose.set("bufferCommands", false);
  mongoose.set("strictQuery", "throw");
  while (!stopped.aborted) {
    try {
      await mongoose.connect(buildUsableConnection(settings.uri).uri, {
        dbName: settings.dbName ?? databaseOf(settings.uri) ?? "policy_server",
        // Transactions need it; what the URI says is left out, with a warning at the start (rule B7).
        readPreference: "primary",
        maxPoolSize: settings.maxPoolSize ?? 10,
        serverSelectionTimeoutMS: settings.timeoutMs ?? 5000,
        // A silent network must not hold the queue of writers for ever. Longer than the minute after which MongoDB ends
        // the transaction of a process that died, for which a write may have to wait.
        socketTimeoutMS: 90_000,
        autoIndex: false,
        autoCreate: false,
        appName: "policy-server",
      });
      await requireReplicaSet();
      state.ready = true;
      return;
    } catch (error) {
      await mongoose.disconnect();
      if (isDatabaseRefused(error)) {
        state.refusal = error;
        return;
      }
      state.lastError = error instanceof Error ? error : new Error(String(error));
      await setTimeout(retryDelayMs, undefined, { signal: stopped }).catch(() => undefined);
    }
  }
}

/** The database named in a connection string, if any. */
function databaseOf(uri: string): string | undefined {
  const name = /^mongodb(?:\+srv)?:\/\/[^/]+\/([^?]+)/.exec(uri)?.[1];
  return name === undefined ? undefined : decodeURIComponent(name);
}

/** Transactions need a replica set, or the router of a sharded cluster (rule B2). */
async function requireReplicaSet(): Promise<void> {
  const hello = await mongoose.connection.getClient().db("admin").command({ hello: 1 });
  if (typeof hello.setName !== "string" && hello.msg !== "isdbgrid") throw new DatabaseRefused(standaloneText);
}

async function withinTime(task: Promise<void>, ms: number): Promise<void> {
  const limit = new AbortController();
  await Promise.race([task, setTimeout(ms, undefined, { signal: limit.signal }).catch(() => undefined)]);
  limit.abort();
}
