import { type DestinationStream, type Logger, pino, stdTimeFunctions } from "pino";
import { logOrigin, logOutput, setProcessName } from "@/lib/platform/log-output";
import { findLogLevel } from "@/lib/platform/settings";
import { camelCase } from "@/lib/platform/settings/parse";
import { secretVariables } from "@/lib/platform/settings/variables";

/** Member names whose values never reach a log line, wherever code hands them over by mistake (rule E5). */
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

/** The end of a chain of causes is worth little, and a circular chain must end. */
const maxCauses = 5;

/** What a log line says about an error: members of drivers and HTTP clients hold secrets. Addresses lose credentials. */
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

/** A text without the credentials that addresses in it hold (rule E5). */
export function maskCredentials(text: string): string {
  return text.replace(/\/\/[^\s/]*@/g, "//***@");
}

const shared = () => ({
  base: logOrigin(),
  timestamp: stdTimeFunctions.isoTime,
  formatters: { level: (label: string) => ({ level: label }) },
});

/** Makes a log that writes JSON lines to `destination`; an error is given as the member `err`. */
export function createLog(destination: DestinationStream, level: string = findLogLevel()): Logger {
  const serializers = { err: (error: unknown) => describeError(error) };
  return pino({ ...shared(), level, serializers, redact: { paths: redactedPaths, censor: "***" } }, destination);
}

/** For the line of every vehicle request: its members hold no secrets, and masking costs more than the answer. */
export const accessLog: Logger = pino({ ...shared(), level: findLogLevel() }, logOutput);

/**
 * The log of this process: JSON lines on the standard output. It never stops the process (`processes.md` N13); end it
 * with `endProcess`, which waits for the log.
 */
export const log: Logger = createLog(logOutput);

/** Names this process in every line from now on: `main`, `console`, `database`, `vehicle-worker-1` … First thing in an entry. */
export function nameProcess(name: string): void {
  setProcessName(name);
  for (const logger of [log, accessLog]) logger.setBindings({ process: name });
}
