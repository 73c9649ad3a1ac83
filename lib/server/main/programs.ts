import { type ChildProcess, fork, spawnSync } from "node:child_process";
import { relayOutput } from "@/lib/server/main/relay";
import type { StartedProcesses } from "@/lib/server/main/started-processes";
import type { Programs } from "@/lib/server/main/supervisor";
import type { Settings } from "@/lib/platform/settings";

export interface ProgramsOptions {
  readonly settings: Pick<Settings, "vehicleWorkerMemoryMb" | "usesEmbeddedDatabase">;
  readonly programOf: (name: string) => string;
  /** Where the console listens; null: on the port. */
  readonly consoleSocket: string | null;
  readonly started: StartedProcesses;
}

/** Makes what starts the processes of this server, with their output in the log of this one (rule N13). */
export function createPrograms({ settings, programOf, consoleSocket, started }: ProgramsOptions): Programs {
  const runner = findRunner();
  const start = (
    program: string,
    name: string,
    args: string[],
    execArgv: string[] = process.execArgv,
  ): ChildProcess => {
    const [execPath = process.execPath, ...before] = runner;
    const child = fork(programOf(program), args, { execPath, execArgv: [...before, ...execArgv], silent: true });
    relayOutput(child, name);
    started.follow(child);
    return child;
  };
  const socket = consoleSocket === null ? [] : [consoleSocket];
  // What an answer needs for a moment is little. A larger place for it also holds back the buffers of many answers, until V8
  // marks the whole heap several times a second to have them given back: with 50 apps and gzip that took half of the time.
  const ofVehicleWorker = ["--max-semi-space-size=2", `--max-old-space-size=${settings.vehicleWorkerMemoryMb}`];
  return {
    vehicleWorker: (name) => start("vehicle-worker", name, [name, ...socket], ofVehicleWorker),
    console: () => start("console", "console", socket),
    database: settings.usesEmbeddedDatabase ? () => start("database", "database", []) : null,
  };
}

/** What runs Node: on Linux `setpriv`, which has the kernel end a process with its parent, even one that spins (N1). */
function findRunner(): readonly string[] {
  const runner = ["setpriv", "--pdeathsig", "KILL"];
  const isThere = process.platform === "linux" && spawnSync("setpriv", [...runner.slice(1), "true"]).status === 0;
  return isThere ? [...runner, process.execPath] : [process.execPath];
}
