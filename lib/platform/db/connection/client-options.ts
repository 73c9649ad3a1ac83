import type { MongoClientOptions } from "mongodb";
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
  const said = new Set(Array.from(uri.matchAll(/[?&](\w+)=/g), ([, name = ""]) => name.toLowerCase()));
  return {
    // Transactions require it. The URI's value is ignored, with a warning at startup.
    readPreference: "primary",
    ...(maxPoolSize !== undefined && { maxPoolSize }),
    waitQueueTimeoutMS: poolWaitMs,
    socketTimeoutMS: socketSilenceMs,
    // The operator may know the network better.
    ...(maxPoolSize === undefined && !said.has("maxpoolsize") && { maxPoolSize: usualPool }),
    serverSelectionTimeoutMS: findSelectionTimeout(uri),
    ...(!said.has("connecttimeoutms") && { connectTimeoutMS: connectTimeoutMs }),
    ...(!said.has("heartbeatfrequencyms") && { heartbeatFrequencyMS: heartbeatMs }),
    appName: "policy-server",
    ...monitoring(),
  };
}

/** How long to look for a usable server, in milliseconds. */
export function findSelectionTimeout(uri: string): number {
  return Number(/[?&]serverSelectionTimeoutMS=(\d+)/i.exec(uri)?.[1] ?? usualSelectionMs);
}

export function nameOfDatabase({ uri, dbName }: DatabaseSettings): string {
  return dbName ?? databaseOf(uri) ?? "policy_server";
}

function databaseOf(uri: string): string | undefined {
  const name = /^mongodb(?:\+srv)?:\/\/[^/]+\/([^?]+)/.exec(uri)?.[1];
  return name === undefined ? undefined : decodeURIComponent(name);
}
