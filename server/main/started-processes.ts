import type { ChildProcess } from "node:child_process";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { z } from "zod";
import { shareWork } from "@/lib/platform/async";
import { readStat } from "@/lib/platform/process/run-time";

const markSchema = z.object({ pid: z.int().positive(), startedAt: z.string(), boot: z.string(), command: z.string() });
type Mark = z.infer<typeof markSchema>;
const fileSchema = z.object({ main: markSchema, children: z.array(markSchema) });

const ofMain = /^processes-\d+\.json$/;
const timeoutMs = 5_000;

/** Lets the next `main` end survivors that hold ports or the database (`processes.md` N1). Linux only. */
export class StartedProcesses {
  readonly #folder: string;
  readonly #children = new Set<Mark>();
  #main: Mark | null = null;
  #isWritten = true;
  readonly #writeAll = shareWork(() => this.#save());

  constructor(dataDir: string) {
    this.#folder = path.join(dataDir, "run");
  }

  /** Notes a process and its end, in the background: `main` waits for no disk (`processes.md` N1c). */
  follow(child: ChildProcess): void {
    void this.#follow(child);
  }

  async #follow(child: ChildProcess): Promise<void> {
    const mark = child.pid === undefined ? null : await readMark(child.pid);
    if (mark === null || child.exitCode !== null || child.signalCode !== null) return;
    this.#children.add(mark);
    child.once("exit", () => {
      this.#children.delete(mark);
      this.#write();
    });
    this.#write();
  }

  async endLeftBehind(): Promise<number> {
    const running: Mark[] = [];
    const files: string[] = [];
    for (const { file, content } of await this.#read()) {
      if (content !== null && (await isRunning(content.main))) continue;
      files.push(file);
      for (const mark of content?.children ?? []) if (await isRunning(mark)) running.push(mark);
    }
    for (const { pid } of running) end(pid);
    const until = performance.now() + timeoutMs;
    for (const mark of running) while ((await isRunning(mark)) && performance.now() < until) await wait(10);
    // On a read-only disk, they stay, and do no harm.
    for (const file of files) await rm(file, { force: true }).catch(() => undefined);
    return running.length;
  }

  async #read() {
    const names = await readdir(this.#folder).catch(() => []);
    const files = names.filter((name) => ofMain.test(name)).map((name) => path.join(this.#folder, name));
    return Promise.all(files.map(async (file) => ({ file, content: await readMarks(file) })));
  }

  /** Writes one state after the other; while a disk hangs, only the first waits for it. */
  #write(): void {
    this.#isWritten = false;
    void this.#writeAll();
  }

  async #save(): Promise<void> {
    const main = (this.#main ??= await readMark(process.pid));
    while (main !== null && !this.#isWritten) {
      this.#isWritten = true;
      try {
        await mkdir(this.#folder, { recursive: true, mode: 0o700 });
        const file = path.join(this.#folder, `processes-${process.pid}.json`);
        await writeFile(file, JSON.stringify({ main, children: [...this.#children] }), { mode: 0o600 });
      } catch {
        // With MongoDB, the server also runs without a writable folder, or with a full disk.
      }
    }
  }
}

async function readMarks(file: string): Promise<z.infer<typeof fileSchema> | null> {
  try {
    return fileSchema.parse(JSON.parse(await readFile(file, "utf8")));
  } catch {
    // A partial file: its writer was killed.
    return null;
  }
}

async function isRunning(mark: Mark): Promise<boolean> {
  const now = await readMark(mark.pid);
  if (now === null || now.startedAt !== mark.startedAt || now.boot !== mark.boot) return false;
  // A process that is ending has no command.
  return now.command === mark.command || now.command === "";
}

/** Null if the process does not exist, or has ended and only waits to be reaped. */
async function readMark(pid: number): Promise<Mark | null> {
  try {
    const stat = readStat(pid);
    // Fields 3, 20 and 22. A process holds its files until its last thread ends.
    const [state = "", threads, startedAt = ""] = [stat[0], stat[17], stat[19]];
    if ("ZX".includes(state) && Number(threads) <= 1) return null;
    const boot = (await readFile("/proc/sys/kernel/random/boot_id", "utf8")).trim();
    return { pid, startedAt, boot, command: await commandOf(pid) };
  } catch {
    return null;
  }
}

/** The program: its first argument that is a script of ours, however it was started. */
async function commandOf(pid: number): Promise<string> {
  // Waits for the process's memory, and so for its disk.
  const all = (await readFile(`/proc/${pid}/cmdline`, "utf8")).split("\0");
  return all.find((argument) => /\.m?js$/.test(argument)) ?? "";
}

function end(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // Already ended.
  }
}
