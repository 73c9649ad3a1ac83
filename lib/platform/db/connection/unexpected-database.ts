import { DatabaseUnavailable } from "@/lib/platform/db/connection/errors";
import { processGlobal } from "@/lib/platform/process-globals";

const state = processGlobal("unexpected-database", () => ({ isUnexpected: false }));

const sentence =
  "The database is not the one that vehicles were last served from, so nothing was changed. The page About and the log " +
  "say what to do.";

export function noteUnexpectedDatabase(isUnexpected: boolean): void {
  state.isUnexpected = isUnexpected;
}

export function isDatabaseUnexpected(): boolean {
  return state.isUnexpected;
}

/** Throws DatabaseUnavailable with a sentence for the caller if this is not the expected database. */
export function requireExpectedDatabase(): void {
  if (state.isUnexpected) throw new DatabaseUnavailable(sentence, { sentence });
}
