"one per process";

import { hostname } from "node:os";
import { fstatSync, write, writeSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { isMainThread } from "node:worker_threads";

const maxHeld = 1024 * 1024;
const pieceBytes = 64 * 1024;
const retryMs = 250;

/** Never blocks the process and never throws (`processes.md` N13): keeps 1 MiB, then drops and counts whole lines. */
export class Output {
  readonly #noteGap: (lines: number) => string;
  readonly #idle = new Set<() => void>();
  #sink: Sink | null = null;
  #lines: string[] = [];
  #piece: Buffer | null = null;
  #pieceLength = 0;
  #held = 0;
  #isWriting = false;
  #soon: NodeJS.Immediate | undefined;
  #later: NodeJS.Timeout | undefined;
  #gap = 0;
  #dropped = 0;

  constructor(noteGap: (lines: number) => string) {
    this.#noteGap = noteGap;
    process.once("exit", () => this.#writeLast());
  }

  get dropped(): number {
    return this.#dropped;
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
    if (!this.#isWriting && !this.#later) this.#soon ??= setImmediate(() => this.#next());
  }

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

  /** Waits until half of the buffer is free, so that a gap of many lines gets one note. */
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
    // Not at once: a sink may call back during `write`.
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

  /** For a process that exits without waiting. One attempt, and none during a write, which may be blocked. */
  #writeLast(): void {
    if (this.#isWriting) return;
    let rest = Buffer.concat([this.#piece ?? Buffer.alloc(0), Buffer.from(this.#lines.join(""))]);
    // Once opened, a full pipe refuses writes. Before that, it would block.
    this.#sink ??= openStandardOutput();
    try {
      while (rest.length > 0) rest = rest.subarray(writeSync(standardOutput, rest));
    } catch {
      // Nothing reads the output.
    }
  }
}

export const standardOutput = 1;

export interface Sink {
  /** Starts a write; never throws. Calls `done` once, with the error or null and the number of bytes written. */
  write(bytes: Buffer, done: (error: Error | null, bytes: number) => void): void;
}

/** Standard output: pipes and sockets when they have room, files in a thread, terminals at once. */
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

/** Shares `process.stdout` with other code: of two streams on one descriptor, only the first learns about free space. */
function streamSink(): Sink {
  const { stdout } = process;
  // Each write reports its own error. Without a listener, the process would end.
  stdout.off("error", ignore).on("error", ignore);
  return {
    write: (bytes, done) => {
      stdout.write(bytes, (error) => done(error ?? null, error ? 0 : bytes.length));
    },
  };
}

const fileSink: Sink = { write: (bytes, done) => write(standardOutput, bytes, done) };

const deviceSink: Sink = {
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

let processName: string | undefined;

export const logOutput = new Output(noteGap);

export function logOrigin() {
  return { pid: process.pid, hostname: hostname(), ...(processName === undefined ? {} : { process: processName }) };
}

export function setProcessName(name: string): void {
  processName = name;
}

export function droppedLines(): number {
  return logOutput.dropped;
}

const endMs = 1_000;

/** Ends this process after writing its log, for a second at most. Kills it if a disk that hangs would block the exit. */
export async function endProcess(status: number): Promise<never> {
  const until = performance.now() + endMs;
  await logOutput.flush(endMs);
  while (hasOpenFileWork() && performance.now() < until) await wait(10);
  if (hasOpenFileWork()) process.kill(process.pid, "SIGKILL");
  return process.exit(status);
}

/** `process.exit` waits for it, because it runs in threads that cannot be cancelled. */
function hasOpenFileWork(): boolean {
  return process.getActiveResourcesInfo().some((name) => name.startsWith("FSReq"));
}

/** The line that marks a gap in the log, at any log level, so that a gap does not look like silence. */
function noteGap(dropped: number): string {
  const msg = "log lines were dropped: they could not be written fast enough, or at all";
  return `${JSON.stringify({ level: "warn", time: new Date().toISOString(), ...logOrigin(), dropped, msg })}\n`;
}
