import type { ChildProcess } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { z } from "zod";
import { readStat } from "@/lib/platform/process/run-time";

/** Identifies a process, even among later ones with the same PID. */
const markSchema = z.object({ pid: z.int().positive(), startedAt: z.string(), boot: z.string(), command: z.string() });
type Mark = z.infer<typeof markSchema>;
const fileSchema = z.object({ main: markSchema, children: z.array(markSchema) });

const ofMain = /^processes-\d+\.json$/;
/** Maximum time for a killed process to end, e.g. if it waits for a disk, in milliseconds. */
const timeoutMs = 5_000;

/**
 * Saves which processes this `main` has started, so that the next one can end survivors that hold ports or the database
 * (`processes.md` N1). Linux only, for the start times of processes.
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

  /** Ends processes that a dead `main` left. Returns their number. */
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
      // The folder does not exist yet.
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
      // With MongoDB, the server also runs without a writable folder, or with a full disk.
    }
  }
}

function readMarks(file: string): z.infer<typeof fileSchema> | null {
  try {
    return fileSchema.parse(JSON.parse(readFileSync(file, "utf8")));
  } catch {
    // A partial file: its writer was killed.
    return null;
  }
}

function isRunning(mark: Mark): boolean {
  const now = readMark(mark.pid);
  if (now === null || now.startedAt !== mark.startedAt || now.boot !== mark.boot) return false;
  // A process that is ending has no command.
  return now.command === mark.command || now.command === "";
}

/** Null if the process does not exist, or has ended and only waits to be reaped. */
function readMark(pid: number): Mark | null {
  try {
    const stat = readStat(pid);
    // Fields 3, 20 and 22. A process holds its files until its last thread ends.
    const [state = "", threads, startedAt = ""] = [stat[0], stat[17], stat[19]];
    if ("ZX".includes(state) && Number(threads) <= 1) return null;
    const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
    return { pid, startedAt, boot, command: commandOf(pid) };
  } catch {
    return null;
  }
}

/** The program: its first argument that is a script of ours, however it was started. */
function commandOf(pid: number): string {
  const all = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
  return all.find((argument) => /\.m?js$/.test(argument)) ?? "";
}

function end(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // Already ended.
  }
}

function sleep(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
