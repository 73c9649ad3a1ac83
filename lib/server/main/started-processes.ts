import type { ChildProcess } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { z } from "zod";
import { readStat } from "@/lib/platform/process/run-time";

/** Tells a process from every other one, also from a later one of the same number. */
const markSchema = z.object({ pid: z.int().positive(), startedAt: z.string(), boot: z.string(), command: z.string() });
type Mark = z.infer<typeof markSchema>;
const fileSchema = z.object({ main: markSchema, children: z.array(markSchema) });

const ofMain = /^processes-\d+\.json$/;
/** So long a process that is ended may take, e.g. because it waits for a disk, in milliseconds. */
const timeoutMs = 5_000;

/**
 * Keeps on disk which processes this `main` has started, so that the next can end those that outlive it and hold ports
 * or the database (`processes.md` N1). Linux only: it tells when a process started.
 */
export class StartedProcesses {
  readonly #folder: string;
  readonly #children = new Set<Mark>();

  /** @param dataDir `DATA_DIR`, absolute */
  constructor(dataDir: string) {
    this.#folder = path.join(dataDir, "run");
  }

  follow(child: ChildProcess): void {
    const mark = child.pid === undefined ? null : readMark(child.pid);
    if (mark === null) return;
    this.#children.add(mark);
    this.#write();
    child.once("exit", () => {
      this.#children.delete(mark);
      this.#write();
    });
  }

  /** Ends what a dead `main` has left behind; gives how many. */
  endLeftBehind(): number {
    const left = this.#read().filter(({ content }) => content === null || !isRunning(content.main));
    const running = left.flatMap(({ content }) => content?.children ?? []).filter(isRunning);
    for (const { pid } of running) end(pid);
    const until = performance.now() + timeoutMs;
    while (running.some(isRunning) && performance.now() < until) sleep(10);
    for (const { file } of left) rmSync(file, { force: true });
    return running.length;
  }

  #read() {
    try {
      return readdirSync(this.#folder)
        .filter((name) => ofMain.test(name))
        .map((name) => ({ file: path.join(this.#folder, name), content: readMarks(path.join(this.#folder, name)) }));
    } catch {
      // There is no such folder yet.
      return [];
    }
  }

  #write(): void {
    const main = readMark(process.pid);
    if (main === null) return;
    try {
      mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
      const file = path.join(this.#folder, `processes-${process.pid}.json`);
      writeFileSync(file, JSON.stringify({ main, children: [...this.#children] }), { mode: 0o600 });
    } catch {
      // A server on a MongoDB runs without a folder that it may write, and on a full disk.
    }
  }
}

function readMarks(file: string): z.infer<typeof fileSchema> | null {
  try {
    return fileSchema.parse(JSON.parse(readFileSync(file, "utf8")));
  } catch {
    // Half a file, of one that was killed while it wrote.
    return null;
  }
}

function isRunning(mark: Mark): boolean {
  const now = readMark(mark.pid);
  if (now === null || now.startedAt !== mark.startedAt || now.boot !== mark.boot) return false;
  // One that is ending has no command any more.
  return now.command === mark.command || now.command === "";
}

/** Null when there is no such process, or it has ended and only waits for its parent to ask. */
function readMark(pid: number): Mark | null {
  try {
    const stat = readStat(pid);
    // Fields 3, 20 and 22. As long as one of its threads ends, the process holds its files.
    const [state = "", threads, startedAt = ""] = [stat[0], stat[17], stat[19]];
    if ("ZX".includes(state) && Number(threads) <= 1) return null;
    const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
    return { pid, startedAt, boot, command: commandOf(pid) };
  } catch {
    return null;
  }
}

/** The program that it runs: the first argument that is one of ours, whatever started it. */
function commandOf(pid: number): string {
  const all = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
  return all.find((argument) => /\.m?js$/.test(argument)) ?? "";
}

function end(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended by itself.
  }
}

function sleep(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
