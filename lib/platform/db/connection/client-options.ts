import type { MongoClientOptions } from "mongodb";
import { databaseOf, optionsOf, usualDatabase } from "@/lib/platform/settings/connection-string";
import { monitoring } from "@/lib/platform/traces/commands";

export interface DatabaseSettings {
  readonly uri: string;
  readonly dbName?: string | undefined;
  /** Overrides the option of the URI. */
  readonly maxPoolSize?: number | undefined;
}

/** Timeout for connecting, and the driver's interval between checks of the server, in milliseconds. */
export const connectTimeoutMs = 3_000;
export const heartbeatMs = 2_000;
const usualSelectionMs = 5_000;
const usualPool = 10;
const poolWaitMs = 10_000;
/** Longest silence during a command, in milliseconds: longer than MongoDB takes to end a dead transaction. */
const socketSilenceMs = 90_000;
export const queryMs = 80_000;

/** Sets limits for each part of an operation (`processes.md` N4): `timeoutMS` has no effect in this driver version. */
export function buildClientOptions({ uri, maxPoolSize }: DatabaseSettings): MongoClientOptions {
  const said = optionsOf(uri);
  return {
    // Transactions require it. The URI's value is ignored, with a warning at startup.
    readPreference: "primary",
    waitQueueTimeoutMS: poolWaitMs,
    socketTimeoutMS: socketSilenceMs,
    // The operator may know the network better.
    ...((maxPoolSize !== undefined || !said.has("maxpoolsize")) && { maxPoolSize: maxPoolSize ?? usualPool }),
    serverSelectionTimeoutMS: findSelectionTimeout(uri),
    ...(!said.has("connecttimeoutms") && { connectTimeoutMS: connectTimeoutMs }),
    ...(!said.has("heartbeatfrequencyms") && { heartbeatFrequencyMS: heartbeatMs }),
    appName: "policy-server",
    ...monitoring(),
  };
}

/** How long to look for a usable server, in milliseconds. */
export function findSelectionTimeout(uri: string): number {
  return Number(optionsOf(uri).get("serverselectiontimeoutms") ?? usualSelectionMs);
}

export function nameOfDatabase({ uri, dbName }: DatabaseSettings): string {
  return dbName ?? databaseOf(uri) ?? usualDatabase;
}
