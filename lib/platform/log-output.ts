import { hostname } from "node:os";
import { processGlobal } from "@/lib/platform/process-globals";
import { fstatSync, write, writeSync } from "node:fs";
import { isMainThread } from "node:worker_threads";

/** Lines held for a reader that stands, in bytes. */
const maxHeld = 1024 * 1024;
const pieceBytes = 64 * 1024;
/** After a failure, e.g. a full disk, writing is tried again after this many milliseconds. */
const retryMs = 250;

/**
 * Lines to the standard output that never stop the process (`processes.md` N13): up to 1 MiB waits, then whole lines
 * are dropped and counted. Never throws or stalls the event loop.
 */
export class Output {
  readonly #noteGap: (lines: number) => string;
  readonly #idle = new Set<() => void>();
  #sink: Sink | null = null;
  #lines: string[] = [];
  /** What is being written, or what is left of it, and its length at first. */
  #piece: Buffer | null = null;
  #pieceLength = 0;
  /** Bytes held, those of the piece included. */
  #held = 0;
  #isWriting = false;
  #soon: NodeJS.Immediate | undefined;
  #later: NodeJS.Timeout | undefined;
  #gap = 0;
  #dropped = 0;

  /** @param noteGap gives the line that stands where so many lines were dropped */
  constructor(noteGap: (lines: number) => string) {
    this.#noteGap = noteGap;
    process.once("exit", () => this.#writeLast());
  }

  get dropped(): number {
    return this.#dropped;
  }

  /** Whether a write is under way that `process.exit` would wait for. */
  get holdsExit(): boolean {
    return this.#isWriting && this.#sink?.holdsExit === true;
  }

  write(line: string): void {
    const bytes = Buffer.byteLength(line);
    this.#endGap();
    if (this.#gap > 0 || this.#held + bytes > maxHeld) {
      this.#gap++;
      this.#dropped++;
      return;
    }
    this.#lines.push(line);
    this.#held += bytes;
    // What one round of the event loop says is written together.
    if (!this.#isWriting && !this.#later) this.#soon ??= setImmediate(() => this.#next());
  }

  /** Waits until nothing is held, at most so many milliseconds. */
  flush(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(limit);
        this.#idle.delete(done);
        resolve();
      };
      const limit = setTimeout(done, milliseconds);
      this.#idle.add(done);
      if (!this.#isWriting && !this.#later) this.#next();
    });
  }

  /** Half of the room is free again: a gap of many lines has one note, not one for each line that found a place. */
  #endGap(): void {
    if (this.#gap === 0 || this.#held > maxHeld / 2) return;
    const note = this.#noteGap(this.#gap);
    this.#gap = 0;
    this.#lines.push(note);
    this.#held += Buffer.byteLength(note);
  }

  #next(): void {
    clearImmediate(this.#soon);
    this.#soon = this.#later = undefined;
    this.#piece ??= this.#takePiece();
    if (!this.#piece) {
      for (const done of [...this.#idle]) done();
      return;
    }
    this.#isWriting = true;
    this.#sink ??= openStandardOutput();
    this.#sink.write(this.#piece, (error, bytes) => this.#written(error, bytes));
  }

  #written(error: Error | null, bytes: number): void {
    this.#isWriting = false;
    if (error) {
      this.#later = setTimeout(() => this.#next(), retryMs).unref();
      return;
    }
    const rest = this.#piece?.subarray(bytes);
    this.#piece = rest?.length ? rest : null;
    if (!this.#piece) this.#held -= this.#pieceLength;
    this.#endGap();
    // Not at once: a sink may be done while it is still being asked.
    this.#soon = setImmediate(() => this.#next());
  }

  #takePiece(): Buffer | null {
    let length = 0;
    let count = 0;
    while (count < this.#lines.length && length < pieceBytes) length += this.#lines[count++]?.length ?? 0;
    if (count === 0) return null;
    const piece = Buffer.from(this.#lines.splice(0, count).join(""));
    this.#pieceLength = piece.length;
    return piece;
  }

  /** For whoever ends the process without waiting. One attempt, and none while a write is under way: it may stand. */
  #writeLast(): void {
    if (this.#isWriting) return;
    let rest = Buffer.concat([this.#piece ?? Buffer.alloc(0), Buffer.from(this.#lines.join(""))]);
    // Opened, a pipe refuses what it has no room for; until then it would make us wait.
    this.#sink ??= openStandardOutput();
    try {
      while (rest.length > 0) rest = rest.subarray(writeSync(standardOutput, rest));
    } catch {
      // Nobody takes it.
    }
  }
}

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

interface Shared {
  name?: string;
  readonly output: Output;
}

// The server entry and the bundles of Next have an instance of this module each, and write to one output.
const shared = processGlobal<Shared>("log-output", () => ({ output: new Output(noteGap) }));

/** Where the log of this process goes. It never stops the process (`processes.md` N13). */
export const logOutput = shared.output;

export function logOrigin() {
  return { pid: process.pid, hostname: hostname(), ...(shared.name === undefined ? {} : { process: shared.name }) };
}

/** For logs made from now on; see `nameProcess` of `lib/platform/log.ts`. */
export function setProcessName(name: string): void {
  shared.name = name;
}

/** How many lines this process has dropped since its start, because they could not be written (N13). */
export function droppedLines(): number {
  return logOutput.dropped;
}

/** Ends this process once its log is written, after a second at most. It is killed if a write would hold up its exit. */
export async function endProcess(status: number): Promise<never> {
  await logOutput.flush(1000);
  if (logOutput.holdsExit) process.kill(process.pid, "SIGKILL");
  return process.exit(status);
}

/** The line that stands where the log has a gap, whatever its level: nobody should take a gap for silence. */
function noteGap(dropped: number): string {
  const msg = "log lines were dropped: they could not be written fast enough, or at all";
  return `${JSON.stringify({ level: "warn", time: new Date().toISOString(), ...logOrigin(), dropped, msg })}\n`;
}
