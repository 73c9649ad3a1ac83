import { type DestinationStream, type Logger, pino, stdTimeFunctions } from "pino";
import { logOrigin, logOutput, setProcessName } from "@/lib/platform/log-output";
import { findLogLevel } from "@/lib/platform/settings";
import { camelCase } from "@/lib/platform/settings/build";
import { secretVariables } from "@/lib/platform/settings/variables";

/** Fields that never reach a log line, even if code passes them by mistake (rule E5). */
const secretMembers = [
  "password",
  "passphrase",
  "secret",
  "cookie",
  "authorization",
  "privateKey",
  "private_key",
  "basic-auth-password",
  ...secretVariables.map(camelCase),
];

const redactedPaths = secretMembers.flatMap((name) => [`["${name}"]`, `*["${name}"]`, `*.*["${name}"]`]);

/** Later causes add little, and a circular chain must end. */
const maxCauses = 5;

/** The loggable part of an error: other fields of drivers and HTTP clients contain secrets. Addresses lose credentials. */
function describeError(error: unknown, left = maxCauses): unknown {
  if (!(error instanceof Error)) return typeof error === "string" ? maskCredentials(error) : { type: typeof error };
  return {
    type: error.name,
    message: maskCredentials(error.message),
    ...("code" in error && ["string", "number"].includes(typeof error.code) ? { code: error.code } : {}),
    stack: error.stack === undefined ? undefined : maskCredentials(error.stack),
    ...(error.cause === undefined || left === 0 ? {} : { cause: describeError(error.cause, left - 1) }),
  };
}

export function maskCredentials(text: string): string {
  return text.replace(/\/\/[^\s/]*@/g, "//***@");
}

const shared = () => ({
  base: logOrigin(),
  timestamp: stdTimeFunctions.isoTime,
  formatters: { level: (label: string) => ({ level: label }) },
});

export function createLog(destination: DestinationStream, level: string = findLogLevel()): Logger {
  const serializers = { err: (error: unknown) => describeError(error) };
  return pino({ ...shared(), level, serializers, redact: { paths: redactedPaths, censor: "***" } }, destination);
}

/** For the line of each vehicle request: its fields contain no secrets, and masking would cost more than the response. */
export const accessLog: Logger = pino({ ...shared(), level: findLogLevel() }, logOutput);

/** Never blocks the process (`processes.md` N13). End the process with `endProcess`, which waits for the log. */
export const log: Logger = createLog(logOutput);

/** Names this process in every line: `main`, `console`, `database`, `vehicle-worker-1` … Entries call it first. */
export function nameProcess(name: string): void {
  setProcessName(name);
  for (const logger of [log, accessLog]) logger.setBindings({ process: name });
}
