import type { MongoClientOptions } from "mongodb";
import type { Settings } from "@/lib/platform/settings";
import { monitoring } from "@/lib/platform/traces/commands";

export interface DatabaseSettings {
  readonly uri: string;
  /** Name of the database; without it the one of the URI, else `policy_server`. */
  readonly dbName?: string | undefined;
  /** Connections in the pool, 10 when not given. */
  readonly maxPoolSize?: number | undefined;
  readonly timeoutMs?: number | undefined;
}

type Known = Pick<Settings, "databaseName" | "mongodbMaxPool" | "mongodbTimeoutMs">;

/** What the settings say of the connection to an address. */
export function connectionOf({ databaseName, mongodbMaxPool, mongodbTimeoutMs }: Known, uri: string): DatabaseSettings {
  return { uri, dbName: databaseName, maxPoolSize: mongodbMaxPool, timeoutMs: mongodbTimeoutMs };
}

/** Longest time for a connection to be made, and between two looks of the driver at the server, in milliseconds. */
export const connectTimeoutMs = 3_000;
export const heartbeatMs = 2_000;
const poolWaitMs = 10_000;
/** Longest silence during a command, in milliseconds: longer than MongoDB takes to end a dead transaction. */
const socketSilenceMs = 90_000;
/** Longest work of the server on one query of Mongoose, in milliseconds: what comes later is not waited for. */
export const queryMs = 80_000;

/**
 * Driver options of every connection (`processes.md` N4). `timeoutMS` does nothing in this driver version, so each part
 * of an operation has its own limit, and `reachable.ts` bounds what a caller waits for.
 */
export function buildClientOptions({ uri, maxPoolSize, timeoutMs }: DatabaseSettings): MongoClientOptions {
  const said = new Set(Array.from(uri.matchAll(/[?&](\w+)=/g), ([, name = ""]) => name.toLowerCase()));
  return {
    // Transactions need it; what the URI says is left out, with a warning at the start (rule B7).
    readPreference: "primary",
    maxPoolSize: maxPoolSize ?? 10,
    serverSelectionTimeoutMS: timeoutMs ?? 5_000,
    waitQueueTimeoutMS: poolWaitMs,
    socketTimeoutMS: socketSilenceMs,
    // An operator may know the network better.
    ...(!said.has("connecttimeoutms") && { connectTimeoutMS: connectTimeoutMs }),
    ...(!said.has("heartbeatfrequencyms") && { heartbeatFrequencyMS: heartbeatMs }),
    appName: "policy-server",
    ...monitoring(),
  };
}

export function nameOfDatabase({ uri, dbName }: DatabaseSettings): string {
  return dbName ?? databaseOf(uri) ?? "policy_server";
}

function databaseOf(uri: string): string | undefined {
  const name = /^mongodb(?:\+srv)?:\/\/[^/]+\/([^?]+)/.exec(uri)?.[1];
  return name === undefined ? undefined : decodeURIComponent(name);
}
