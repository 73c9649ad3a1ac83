import { noteWriteRefusal, sentenceOfRefusal } from "@/lib/platform/db/connection/write-refusal";
import { MongoAPIError, MongoError, MongoNetworkError, MongoServerError, MongoServerSelectionError } from "mongodb";
import { errorNamed } from "@/lib/platform/errors";

/** The database cannot be reached now; the same request may succeed later (503). Whatever reads or writes may throw it. */
export class DatabaseUnavailable extends Error {
  override readonly name = "DatabaseUnavailable";
  /** What may be told to a caller, when that is more than that the service is not available. */
  readonly sentence: string | null;

  constructor(message: string, { cause, sentence = null }: { cause?: unknown; sentence?: string | null } = {}) {
    super(message, { cause });
    this.sentence = sentence;
  }
}
export const isDatabaseUnavailable = errorNamed<DatabaseUnavailable>("DatabaseUnavailable");

/** The database is reachable but cannot do what this server needs; only its operator can change that. */
export class DatabaseRefused extends Error {
  override readonly name = "DatabaseRefused";
}
export const isDatabaseRefused = errorNamed<DatabaseRefused>("DatabaseRefused");

/** A replica set without a primary, or one that is shutting down: codes of the driver specification. */
const notPrimaryCodes: ReadonlySet<number> = new Set([91, 189, 10107, 11600, 11602, 13435, 13436]);
/** The driver hands some failures of a socket on as they are. */
const socketCodes: ReadonlySet<unknown> = new Set(["EPIPE", "ECONNRESET", "ECONNREFUSED", "ECONNABORTED", "ETIMEDOUT"]);
const clientErrors: ReadonlySet<string> = new Set([
  "MongoNotConnectedError",
  "MongoTopologyClosedError",
  "MongoClientClosedError",
  "MongoExpiredSessionError",
  "MongoOperationTimeoutError",
]);

/** Whether an error of the driver or of Mongoose means that the database is out of reach, or takes no writes now. */
export function isUnavailable(error: unknown): boolean {
  if (isDatabaseUnavailable(error)) return true;
  if (!(error instanceof Error)) return false;
  if (sentenceOfRefusal(error) !== null) return true;
  // Mongoose's own errors carry no class worth importing: a model used before the first connection.
  if (error.name === "MongooseServerSelectionError" || /before initial connection is complete/.test(error.message)) {
    return true;
  }
  if ("code" in error && socketCodes.has(error.code)) return true;
  if (error instanceof MongoServerSelectionError || error instanceof MongoNetworkError) return true;
  if (error instanceof MongoServerError) return typeof error.code === "number" && notPrimaryCodes.has(error.code);
  // A transaction that was begun on a connection that has been replaced.
  if (error instanceof MongoAPIError) return clientErrors.has(error.name) || /same MongoClient/.test(error.message);
  return (
    error instanceof MongoError && (clientErrors.has(error.name) || /PoolCleared|WaitQueueTimeout/.test(error.name))
  );
}

/** The same error, or `DatabaseUnavailable` when that is what it means. The text of the driver names hosts: it stays in `cause`. */
export function toDatabaseError(error: unknown): unknown {
  if (isDatabaseUnavailable(error) || !isUnavailable(error)) return error;
  const sentence = sentenceOfRefusal(error);
  if (sentence !== null) {
    // Noted here, where every failure of the database comes by: readiness and metrics tell of it.
    noteWriteRefusal(sentence);
    return new DatabaseUnavailable(sentence, { cause: error, sentence });
  }
  return new DatabaseUnavailable("The database cannot be reached.", { cause: error });
}
