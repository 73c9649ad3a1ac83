/** Failures whose sentences are made for administrators and hold no secret (rule H8). */
const speaking: ReadonlySet<string> = new Set([
  "AppError",
  "DatabaseUnavailable",
  "DirectoryFailed",
  "DirectoryRefused",
]);
const longest = 300;

/**
 * Says in one line why a task failed. Failures that nobody foresaw are only named: their texts may quote what was being
 * stored. They are in the log.
 */
export function describeFailure(error: unknown): string {
  if (!(error instanceof Error)) return "Unexpected failure; see the log";
  if (!speaking.has(error.name)) return `Unexpected failure (${error.name}); see the log`;
  return error.message.replaceAll(/\s+/g, " ").trim().slice(0, longest);
}
