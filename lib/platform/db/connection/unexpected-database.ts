"one per process";

import { DatabaseUnavailable } from "@/lib/platform/db/connection/errors";

let isUnexpected = false;

const sentence =
  "The database is not the one that vehicles were last served from, so nothing was changed. The page About and the log " +
  "say what to do.";

export function noteUnexpectedDatabase(isSo: boolean): void {
  isUnexpected = isSo;
}

export function isDatabaseUnexpected(): boolean {
  return isUnexpected;
}

/** Throws DatabaseUnavailable with a sentence for the caller if this is not the expected database. */
export function requireExpectedDatabase(): void {
  if (isUnexpected) throw new DatabaseUnavailable(sentence, { sentence });
}
