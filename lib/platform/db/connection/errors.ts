"one per process";

import { noteWriteRefusal, sentenceOfRefusal } from "@/lib/platform/db/connection/write-refusal";
import { MongoAPIError, MongoError, MongoNetworkError, MongoServerError, MongoServerSelectionError } from "mongodb";

/** The database cannot be reached now; the same request may succeed later (503). Any read or write may throw it. */
export class DatabaseUnavailable extends Error {
  override readonly name = "DatabaseUnavailable";
  readonly sentence: string | null;

  constructor(message: string, { cause, sentence = null }: { cause?: unknown; sentence?: string | null } = {}) {
    super(message, { cause });
    this.sentence = sentence;
  }
}

/** The database is reachable but cannot do what this server needs; only its operator can change that. */
export class DatabaseRefused extends Error {
  override readonly name = "DatabaseRefused";
}

/** No primary, or one that is shutting down: codes of the driver specification. */
const notPrimaryCodes: ReadonlySet<number> = new Set([91, 189, 10107, 11600, 11602, 13435, 13436]);
/** The driver passes some socket errors on unchanged. */
const socketCodes: ReadonlySet<unknown> = new Set(["EPIPE", "ECONNRESET", "ECONNREFUSED", "ECONNABORTED", "ETIMEDOUT"]);
const clientErrors: ReadonlySet<string> = new Set([
  "MongoNotConnectedError",
  "MongoTopologyClosedError",
  "MongoClientClosedError",
  "MongoExpiredSessionError",
  "MongoOperationTimeoutError",
]);

export function isUnavailable(error: unknown): boolean {
  if (error instanceof DatabaseUnavailable) return true;
  if (!(error instanceof Error)) return false;
  if (sentenceOfRefusal(error) !== null) return true;
  // Mongoose exports no class for this error: a model was used before the first connection.
  if (error.name === "MongooseServerSelectionError" || /before initial connection is complete/.test(error.message)) {
    return true;
  }
  if ("code" in error && socketCodes.has(error.code)) return true;
  if (error instanceof MongoServerSelectionError || error instanceof MongoNetworkError) return true;
  if (error instanceof MongoServerError) return typeof error.code === "number" && notPrimaryCodes.has(error.code);
  // The transaction began on a connection that has been replaced.
  if (error instanceof MongoAPIError) return clientErrors.has(error.name) || /same MongoClient/.test(error.message);
  return (
    error instanceof MongoError && (clientErrors.has(error.name) || /PoolCleared|WaitQueueTimeout/.test(error.name))
  );
}

let lastSeenAt = -Infinity;

/** Remembers that a page failed because the database is out of reach: others only see that it failed. */
export function noteUnavailable(error: unknown): void {
  if (isUnavailable(error)) lastSeenAt = performance.now();
}

export const wasUnavailable = (withinMs: number): boolean => performance.now() - lastSeenAt < withinMs;

/** Converts an error into `DatabaseUnavailable` if it means that. The driver's text names hosts, so it stays in `cause`. */
export function toDatabaseError(error: unknown): unknown {
  if (error instanceof DatabaseUnavailable || !isUnavailable(error)) return error;
  const sentence = sentenceOfRefusal(error);
  if (sentence !== null) {
    // Every database error passes here. Readiness and metrics report the refusal.
    noteWriteRefusal(sentence);
    return new DatabaseUnavailable(sentence, { cause: error, sentence });
  }
  return new DatabaseUnavailable("The database cannot be reached.", { cause: error });
}
