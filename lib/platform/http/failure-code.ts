/** Code or name of a network failure, e.g. `ECONNREFUSED`. Messages may quote addresses and headers that were sent. */
export function findFailureCode(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  if ("code" in error && typeof error.code === "string") return error.code;
  return error.cause === undefined ? error.name : findFailureCode(error.cause);
}
