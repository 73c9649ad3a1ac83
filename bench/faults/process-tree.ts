import { existsSync, readdirSync, readFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";

/** One process of a server. */
export interface ServerProcess {
  readonly pid: number;
  /** `main`, `lane-1`, `console`, `database`. */
  readonly name: string;
  /** Resident memory in MiB: all pages, and with pages that several processes share counted in parts. */
  readonly rss: number;
  readonly pss: number;
}

/** A process and all that it has started, as `/proc` knows them. */
export function processesOf(root: number): ServerProcess[] {
  const parents = new Map(allIds().map((pid) => [pid, parentOf(pid)]));
  const ids = [root];
  for (const id of ids) for (const [pid, parent] of parents) if (parent === id) ids.push(pid);
  return ids.flatMap((pid) => describe(pid) ?? []);
}

/** Waits until a server has a process of this name that is another than the given one. */
export async function otherProcess(root: number, name: string, than: number): Promise<ServerProcess> {
  for (;;) {
    const found = processesOf(root).find((one) => one.name === name && one.pid !== than);
    if (found) return found;
    await wait(20);
  }
}

/** Ends a process by force and waits until the system has taken it away; when that began and ended. */
export async function killAt(pid: number): Promise<readonly [number, number]> {
  const from = Date.now();
  process.kill(pid, "SIGKILL");
  while (isAlive(pid)) await wait(1);
  return [from - 1, Date.now() + 1];
}

export function isAlive(pid: number): boolean {
  if (!existsSync(`/proc/${pid}`)) return false;
  // One that nobody has asked about yet is dead as well.
  return statOf(pid)?.state !== "Z";
}

function describe(pid: number): ServerProcess | null {
  try {
    const words = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
    const memory = readFileSync(`/proc/${pid}/smaps_rollup`, "utf8");
    const mebibytes = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(memory)?.[1]) / 1024;
    return { pid, name: nameOf(words), rss: mebibytes("Rss"), pss: mebibytes("Pss") };
  } catch {
    // It has ended meanwhile.
    return null;
  }
}

function nameOf(words: readonly string[]): string {
  const at = words.findIndex((word) => /\/dist\/\w+\.js$/.test(word));
  const program = /(\w+)\.js$/.exec(words[at] ?? "")?.[1];
  if (program === "lane") return words[at + 1] ?? "lane";
  return program ?? (words.some((word) => word.endsWith("start.mjs")) ? "main" : (words[0] ?? ""));
}

const allIds = () => readdirSync("/proc").flatMap((name) => (/^\d+$/.test(name) ? [Number(name)] : []));

const parentOf = (pid: number) => statOf(pid)?.parent ?? 0;

function statOf(pid: number): { readonly state: string; readonly parent: number } | null {
  try {
    // The name of the program stands in parentheses and may hold anything.
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    const [state = "", parent = "0"] = text.slice(text.lastIndexOf(")") + 2).split(" ");
    return { state, parent: Number(parent) };
  } catch {
    return null;
  }
}
