import { type DestinationStream, type Logger, pino, stdTimeFunctions } from "pino";
import { findLogLevel } from "@/lib/settings";

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
  "basicAuthPassword",
  "mongodbUri",
  "shaidSecretKey",
  "sessionSecret",
  "smtpPassword",
  "certificatePassphrase",
  "caPassphrase",
];

const depths = ["", "*", "*.*"];
const redactedPaths = secretMembers.flatMap((name) =>
  depths.map((depth) => (depth === "" ? `["${name}"]` : `${depth}["${name}"]`)),
);

/** The end of a chain of causes is worth little, and a circular chain must end. */
const mostCauses = 5;

/**
 * What a log line says about an error: type, message, stack and the causes. Other members are left out, because those
 * of drivers and HTTP clients hold connection strings and headers; credentials inside addresses are masked.
 */
function describeError(error: unknown, left = mostCauses): unknown {
  if (!(error instanceof Error)) return typeof error === "string" ? maskCredentials(error) : { type: typeof error };
  return {
    type: error.name,
    message: maskCredentials(error.message),
    ...("code" in error && ["string", "number"].includes(typeof error.code) ? { code: error.code } : {}),
    stack: error.stack === undefined ? undefined : maskCredentials(error.stack),
    ...(error.cause === undefined || left === 0 ? {} : { cause: describeError(error.cause, left - 1) }),
  };
}

function maskCredentials(text: string): string {
  return text.replace(/\/\/[^\s/]*@/g, "//***@");
}

/** Makes a log that writes JSON lines to `destination`; an error is given as the member `err`. */
export function createLog(destination: DestinationStream, level: string = findLogLevel()): Logger {
  return pino(
    {
      level,
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: (error: unknown) => describeError(error) },
      redact: { paths: redactedPaths, censor: "***" },
    },
    destination,
  );
}

const output = pino.destination({ dest: 1, sync: false, minLength: 4096, periodicFlush: 250 });

/**
 * For lines whose members are fixed in code and hold no secret, written for every vehicle request: looking for members
 * to mask costs more than answering the vehicle.
 */
export const accessLog: Logger = pino(
  { level: findLogLevel(), timestamp: stdTimeFunctions.isoTime, formatters: { level: (label) => ({ level: label }) } },
  output,
);

/**
 * The log of this process: JSON lines on the standard output. Writing does not wait for the reader of the output, so
 * whoever ends the process calls `flushLog()` before.
 */
export const log: Logger = createLog(output);

/** Writes out what the logs still hold; the last thing before a process ends. */
export function flushLog(): void {
  output.flushSync();
}
