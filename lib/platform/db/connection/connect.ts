"one per process";

import {
  buildClientOptions,
  nameOfDatabase,
  queryMs,
  type DatabaseSettings,
  findSelectionTimeout,
} from "@/lib/platform/db/connection/client-options";
import { buildUsableConnection } from "@/lib/platform/settings/connection-string";
import { DatabaseRefused, DatabaseUnavailable, toDatabaseError } from "@/lib/platform/db/connection/errors";
import { dropClient } from "@/lib/platform/db/connection/drop-client";
import { traceCommands } from "@/lib/platform/traces/commands";
import { pause, within } from "@/lib/platform/async";
import { Connection, type WritingConnection } from "mongodb/lib/cmap/connection.js";
import type { FindCursor } from "mongodb";
import mongoose, { type Collection, type Model } from "mongoose";

/** `idle`: `connect` was not called. `refused`: the operator must change the database before it can be used. */
export type DatabaseStatus = "idle" | "connecting" | "connected" | "disconnected" | "refused";

interface Connecting {
  task: Promise<void> | null;
  ready: boolean;
  /** Why only its operator can make the database usable. */
  refusal: string | null;
  lastError: Error | null;
  stop: AbortController | null;
  timeoutMs: number;
}

const state: Connecting = {
  task: null,
  ready: false,
  refusal: null,
  lastError: null,
  stop: null,
  timeoutMs: 5000,
};

/** Whether the driver has a server. Mongoose's `readyState` says no after two missed heartbeats, e.g. in a busy process. */
const link = { isUp: mongoose.connection.readyState === mongoose.ConnectionStates.connected };
mongoose.connection.on("connected", () => {
  link.isUp = true;
});
mongoose.connection.on("disconnected", () => {
  link.isUp = false;
});

const retryDelayMs = 1000;
const standaloneText =
  "The MongoDB server is a standalone server, but transactions need a replica set; one node is enough: " +
  'start mongod with --replSet rs0, run rs.initiate() once in mongosh, and add "?replicaSet=rs0" to MONGODB_URI.';

/**
 * Connects once per process and keeps trying in the background; later calls, from any bundle, wait for the same
 * connection. Throws DatabaseUnavailable after the selection timeout; DatabaseRefused for a standalone server (rule B2).
 */
export async function connect(settings: DatabaseSettings): Promise<void> {
  if (state.task === null) {
    state.timeoutMs = findSelectionTimeout(settings.uri);
    state.stop = new AbortController();
    state.task = keepConnecting(settings, state.stop.signal);
  }
  await requireDatabase();
}

/** Waits for the connection that `connect` started. Throws like `connect`. */
export async function requireDatabase(): Promise<void> {
  if (!state.ready && state.refusal === null && state.task !== null) {
    await within(state.timeoutMs, state.task, () => undefined);
  }
  if (state.refusal !== null) throw new DatabaseRefused(state.refusal);
  if (databaseState().status !== "connected") {
    throw new DatabaseUnavailable("The database cannot be reached.", { cause: state.lastError });
  }
}

/** The state of the connection, without asking the database. `error` contains no host and no secret. */
export function databaseState(): { readonly status: DatabaseStatus; readonly error: string | null } {
  if (state.refusal !== null) return { status: "refused", error: state.refusal };
  if (state.task === null) return { status: "idle", error: null };
  if (!state.ready) return { status: "connecting", error: state.lastError?.name ?? null };
  return link.isUp
    ? { status: "connected", error: null }
    : { status: "disconnected", error: "The database went away." };
}

export async function disconnect(): Promise<void> {
  state.stop?.abort();
  await state.task;
  await dropClient();
  Object.assign(state, { task: null, ready: false, refusal: null, lastError: null, stop: null });
}

async function keepConnecting(settings: DatabaseSettings, stopped: AbortSignal): Promise<void> {
  mendDriverWrites();
  // Before the first connection, an operation must fail at once instead of waiting in Mongoose's queue.
  mongoose.set("bufferCommands", false);
  mongoose.set("strictQuery", "throw");
  mongoose.set("maxTimeMS", queryMs);
  while (!stopped.aborted) {
    try {
      await mongoose.connect(buildUsableConnection(settings.uri).uri, {
        ...buildClientOptions(settings),
        dbName: nameOfDatabase(settings),
        autoIndex: false,
        autoCreate: false,
      });
      await requireReplicaSet();
      traceCommands(mongoose.connection.getClient());
      state.ready = true;
      return;
    } catch (error) {
      await dropClient();
      if (error instanceof DatabaseRefused) {
        state.refusal = error.message;
        return;
      }
      state.lastError = error instanceof Error ? error : new Error(String(error));
      await pause(retryDelayMs, [stopped]);
    }
  }
}

async function requireReplicaSet(): Promise<void> {
  const hello = await mongoose.connection.getClient().db("admin").command({ hello: 1 });
  if (typeof hello.setName !== "string" && hello.msg !== "isdbgrid") throw new DatabaseRefused(standaloneText);
}

let isMended = false;

/** Works around the driver (7.8): a write whose connection closes waits for a "drain" that never comes (ADR 43). */
function mendDriverWrites(): void {
  if (isMended) return;
  isMended = true;
  const write = Connection.prototype.writeCommand;
  Connection.prototype.writeCommand = function (this: WritingConnection, command: unknown, options: unknown) {
    return untilClosed(this, write.call(this, command, options));
  };
}

async function untilClosed(connection: WritingConnection, writing: Promise<unknown>): Promise<unknown> {
  let tell = (): void => undefined;
  const closed = new Promise<never>((_resolve, reject) => {
    tell = () => reject(connection.error ?? new Error("the connection was closed"));
  });
  connection.once("close", tell);
  // The connection may have closed before the listener was added.
  if (connection.closed) tell();
  try {
    return await Promise.race([writing, closed]);
  } finally {
    connection.off("close", tell);
  }
}

/** Runs reads and writes outside of a transaction. Throws `DatabaseUnavailable` at once without a connection. */
export async function inDatabase<T>(work: () => Promise<T>): Promise<T> {
  await requireDatabase();
  try {
    return await work();
  } catch (error) {
    throw toDatabaseError(error);
  }
}

/** A slow database must not delay the rest of a response; milliseconds. */
const timeoutMs = 2_000;

/** Reads from the database for an optional part of a response. Null if the database is away, slow or fails. */
export async function loadInTime<T>(load: () => Promise<T>, ms = timeoutMs): Promise<T | null> {
  if (databaseState().status !== "connected") return null;
  const loading = load().catch(() => null);
  return within(ms, loading, () => null);
}

export interface RawDocument {
  readonly _id: number;
  readonly [member: string]: unknown;
}

/** The documents of a cursor as they arrive: awaiting each of thousands costs more than reading it. */
export async function* batchesOf(cursor: FindCursor<RawDocument>): AsyncGenerator<readonly RawDocument[]> {
  try {
    while (await cursor.hasNext()) yield cursor.readBufferedDocuments();
  } finally {
    await cursor.close();
  }
}

export function rawCollection(model: Pick<Model<unknown>, "collection">): Collection<RawDocument> {
  return mongoose.connection.collection<RawDocument>(model.collection.collectionName);
}
