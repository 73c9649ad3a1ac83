/**
 * Code or name of a network failure, e.g. `ECONNREFUSED`, from the error or its causes. Their texts are no good for a
 * log or a caller: they may quote the address and the headers of what was sent.
 */
export function findFailureCode(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  if ("code" in error && typeof error.code === "string") return error.code;
  return error.cause === undefined ? error.name : findFailureCode(error.cause);
}
