/** Failures whose sentences are made for administrators and hold no secret (rule H8). */
const speaking: ReadonlySet<string> = new Set([
  "AppError",
  "DatabaseUnavailable",
  "DirectoryFailed",
  "DirectoryRefused",
  "LockLost",
  "SpecificationRefused",
  // Thrown by this server itself, with a sentence; those of the platform carry a code.
  "Error",
]);
const longest = 300;

/**
 * Says in one line why a task failed. Failures that nobody foresaw are only named: their texts may quote what was being
 * stored. They are in the log.
 */
export function describeFailure(error: unknown): string {
  if (!(error instanceof Error)) return "Unexpected failure; see the log";
  const isSpeaking = speaking.has(error.name) && !(error.name === "Error" && "code" in error);
  if (!isSpeaking) return `Unexpected failure (${error.name}); see the log`;
  return error.message.replaceAll(/\s+/g, " ").trim().slice(0, longest);
}
