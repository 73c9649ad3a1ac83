import { fstatSync, write, writeSync } from "node:fs";
import { isMainThread } from "node:worker_threads";

export const standardOutput = 1;

export interface Sink {
  /** Begins to write; never throws. `done` is called once, with the error or null and the bytes taken. */
  write(bytes: Buffer, done: (error: Error | null, bytes: number) => void): void;
  /** While a write is under way, `process.exit` waits for it: it lies in a thread that cannot be called back. */
  readonly holdsExit: boolean;
}

/** The standard output: pipe and socket when they have room, a file in a thread, a terminal at once. */
export function openStandardOutput(): Sink {
  if (!isMainThread) return streamSink();
  const kind = lookAt();
  if (kind?.isCharacterDevice()) return deviceSink;
  return kind?.isFIFO() || kind?.isSocket() ? streamSink() : fileSink;
}

function lookAt() {
  try {
    return fstatSync(standardOutput);
  } catch {
    return null;
  }
}

const ignore = () => undefined;

/** Not our own stream: of two on one descriptor only the first hears that there is room again, and others print too. */
function streamSink(): Sink {
  const { stdout } = process;
  // Each write tells of its error as well; without a listener the process would end.
  stdout.off("error", ignore).on("error", ignore);
  return {
    holdsExit: false,
    write: (bytes, done) => {
      stdout.write(bytes, (error) => done(error ?? null, error ? 0 : bytes.length));
    },
  };
}

const fileSink: Sink = { holdsExit: true, write: (bytes, done) => write(standardOutput, bytes, done) };

const deviceSink: Sink = {
  holdsExit: false,
  write: (bytes, done) => {
    let written = 0;
    let failure: Error | null = null;
    try {
      written = writeSync(standardOutput, bytes);
    } catch (error) {
      failure = error instanceof Error ? error : new Error(String(error));
    }
    done(failure, written);
  },
};
