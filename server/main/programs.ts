import { type ChildProcess, fork, spawnSync } from "node:child_process";
import { relayOutput } from "@/server/main/relay";
import type { StartedProcesses } from "@/server/main/started-processes";
import type { Programs } from "@/server/main/supervisor";
import { programEnvironment, type ProgramName, type Settings } from "@/lib/platform/settings";

/** Memory of a vehicle worker in MiB, several times of what 10,000 apps need (`processes.md` N2a). */
export const vehicleWorkerMemoryMb = 1024;

export interface ProgramsOptions {
  readonly settings: Pick<Settings, "usesEmbeddedDatabase">;
  readonly programOf: (name: ProgramName) => string;
  /** The console's socket; null: it listens on the port. */
  readonly consoleSocket: string | null;
  readonly started: StartedProcesses;
}

// A larger young generation delays the release of response buffers, until V8 marks the whole heap several times a
// second: with 50 apps and gzip, that took half of the time.
// Threads that help to collect what survived would wake for a few kilobytes, on cores that other workers need.
export const vehicleWorkerFlags: string[] = [
  "--max-semi-space-size=2",
  "--no-parallel-scavenge",
  `--max-old-space-size=${vehicleWorkerMemoryMb}`,
];

export function createPrograms({ settings, programOf, consoleSocket, started }: ProgramsOptions): Programs {
  const runner = findRunner();
  const start = (
    program: ProgramName,
    name: string,
    args: string[],
    execArgv: string[] = process.execArgv,
  ): ChildProcess => {
    const [execPath = process.execPath, ...before] = runner;
    const options = { execPath, execArgv: [...before, ...execArgv], env: programEnvironment(program), silent: true };
    const child = fork(programOf(program), args, options);
    relayOutput(child, name);
    started.follow(child);
    return child;
  };
  const socket = consoleSocket === null ? [] : [consoleSocket];
  // What it keeps lives long and outside of this heap, so a large young generation only stays resident.
  const ofDatabase = [...process.execArgv, "--max-semi-space-size=4"];
  return {
    vehicleWorker: (name) => start("vehicle-worker", name, [name, ...socket], vehicleWorkerFlags),
    console: () => start("console", "console", socket),
    database: settings.usesEmbeddedDatabase ? () => start("database", "database", [], ofDatabase) : null,
  };
}

/** How to run Node: on Linux with `setpriv`, so that the kernel kills a child with its parent, even in a busy loop (N1). */
function findRunner(): readonly string[] {
  const runner = ["setpriv", "--pdeathsig", "KILL"];
  const isThere = process.platform === "linux" && spawnSync("setpriv", [...runner.slice(1), "true"]).status === 0;
  return isThere ? [...runner, process.execPath] : [process.execPath];
}
