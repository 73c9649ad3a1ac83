import { readdirSync, readFileSync } from "node:fs";
import { eventually } from "@/test/support/vehicle";

export interface ProcessUse {
  readonly pid: number;
  /** Name of its bundle (`vehicleWorker` for `dist/vehicle worker.js`); null for other programs. */
  readonly role: string | null;
  /** Resident memory in bytes. */
  readonly memory: number;
  /** CPU time of all its threads since its start, in milliseconds; the system counts in steps of 10. */
  readonly cpuMs: number;
}

/** Linux reports CPU time in ticks of this length on every architecture that Node supports. */
const tickMs = 10;

/** The process itself comes first; throws if it does not exist. */
export function processTree(pid: number): ProcessUse[] {
  const all = readdirSync("/proc").flatMap((name) => (/^\d+$/.test(name) ? (readProcess(Number(name)) ?? []) : []));
  const root = all.find((one) => one.pid === pid);
  if (root === undefined) throw new Error(`there is no process ${pid}`);
  const tree = [root];
  for (const parent of tree) tree.push(...all.filter(({ parentPid }) => parentPid === parent.pid));
  return tree.map(({ parentPid: _, ...use }) => use);
}

/** Totals of a tree, or of the processes of one role in it (`vehicleWorker`: all vehicle workers). */
export function treeUse(pid: number, role?: string): { readonly memory: number; readonly cpuMs: number } {
  const counted = processTree(pid).filter((one) => role === undefined || one.role === role);
  return {
    memory: counted.reduce((sum, one) => sum + one.memory, 0),
    cpuMs: counted.reduce((sum, one) => sum + one.cpuMs, 0),
  };
}

/** Null if the process has ended in the meantime. */
function readProcess(pid: number): (ProcessUse & { readonly parentPid: number }) | null {
  try {
    // The name in parentheses may itself contain blanks and parentheses; only numbers follow it.
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const [user, system] = [Number(fields[11]), Number(fields[12])];
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    // Kernel threads and zombies have no memory.
    const kilobytes = Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0);
    const command = readFileSync(`/proc/${pid}/cmdline`, "utf8").split(/[\0 ]/);
    return {
      pid,
      parentPid: Number(fields[1]),
      role: command.map(roleOf).find((role) => role !== null) ?? null,
      memory: kilobytes * 1024,
      cpuMs: (user + system) * tickMs,
    };
  } catch {
    return null;
  }
}

function roleOf(argument: string): string | null {
  return /(?:^|\/)dist\/([\w-]+)\.js$/.exec(argument)?.[1] ?? null;
}

/** Kills processes of a server with no chance to do anything, and waits until others have taken their place. */
export async function killRole(root: number, role: string, most = Infinity): Promise<void> {
  const pids = () => processTree(root).flatMap((one) => (one.role === role ? [one.pid] : []));
  const before = pids();
  const killed = before.slice(0, most);
  for (const pid of killed) process.kill(pid, "SIGKILL");
  await eventually(() =>
    Promise.resolve(pids().length === before.length && killed.every((pid) => !pids().includes(pid))),
  );
}
