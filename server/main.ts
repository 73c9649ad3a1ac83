/**
 * `npm start`: reads and checks the settings, starts the other processes, watches them and stops them (`processes.md` N1).
 * Serves nothing itself.
 */
import { type ChildProcess, fork } from "node:child_process";
import cluster from "node:cluster";
import { fileURLToPath } from "node:url";
import { loadSessionSecret } from "@/lib/auth/session-secret";
import { loadAuditKey } from "@/lib/secrets/audit-key";
import { announce } from "@/lib/process/announce";
import { dieOnUncaught } from "@/lib/process/die-on-uncaught";
import { droppedLines, endProcess } from "@/lib/log-output";
import { passOnAcceptance } from "@/lib/main/acceptance";
import { relayOutput } from "@/lib/main/relay";
import { makeConsoleSocket } from "@/lib/process/socket-path";
import { Supervisor } from "@/lib/main/supervisor";
import { closeDataDir, findReadableSecrets } from "@/lib/server/private-files";
import { log, nameProcess } from "@/lib/log";
import { isSettingsError, loadSettings, loadSettingsWarnings } from "@/lib/settings";
import { asksWho } from "@/lib/settings/access-kinds";

const programOf = (name: string) => fileURLToPath(new URL(`./${name}.js`, import.meta.url));

async function main(): Promise<void> {
  const settings = loadSettings();
  for (const warning of loadSettingsWarnings()) log.warn(warning);
  const openFiles = [closeDataDir(settings), ...findReadableSecrets(settings, process.cwd())];
  for (const warning of openFiles) if (warning !== null) log.warn(warning);
  // Made now, so that a folder that cannot be written stops the start and not the first login.
  if (asksWho(settings.authType)) loadSessionSecret(settings);
  loadAuditKey();
  await passOnAcceptance(process.argv, settings.dataDir);

  const socket = makeConsoleSocket(settings.dataDir);
  process.once("exit", () => socket.remove());
  // Lanes take connections from the system themselves: no connection passes through this process.
  cluster.schedulingPolicy = cluster.SCHED_NONE;
  const startLane = (name: string) => {
    // What an answer needs for a moment is little: a small place for it keeps the process small.
    const execArgv = ["--max-semi-space-size=4"];
    cluster.setupPrimary({ exec: programOf("lane"), args: [name, socket.path], execArgv, silent: true });
    return relayed(name, cluster.fork().process);
  };
  const startProgram = (name: "console" | "database", ...args: string[]) =>
    relayed(name, fork(programOf(name), args, { silent: true }));
  // In development there is the console alone, on the port.
  const isDevelopment = settings.nodeEnv === "development";
  const supervisor = new Supervisor({
    programs: {
      lane: startLane,
      console: () => startProgram("console", ...(isDevelopment ? [] : [socket.path])),
      database: settings.usesEmbeddedDatabase ? () => startProgram("database") : null,
    },
    lanes: isDevelopment ? 0 : settings.lanes,
    consoleSocket: socket.path,
    drainMs: settings.drainSeconds * 1000,
    onReady: () => announce(settings),
    onGiveUp: (problems) => {
      giveUp(problems, () => supervisor.destroy());
    },
    droppedLines,
    log,
  });
  let isStopping = false;
  const stop = async (signal: string) => {
    if (isStopping) {
      supervisor.destroy();
      await endProcess(1);
    }
    isStopping = true;
    log.info({ signal }, "stopping");
    const isFinished = await supervisor.stop();
    await endProcess(isFinished ? 0 : 1);
  };
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, () => void stop(signal));
  supervisor.start();
}

/** What it prints goes into the log of this process, so that lines of several processes never mix (rule N13). */
function relayed(name: string, child: ChildProcess): ChildProcess {
  relayOutput(child, name);
  return child;
}

function giveUp(problems: readonly string[], before: () => void = () => undefined): void {
  for (const line of problems) log.fatal(line);
  before();
  void endProcess(1);
}

nameProcess("main");
dieOnUncaught();
main().catch((error: unknown) => {
  giveUp(isSettingsError(error) ? error.problems : [error instanceof Error ? error.message : "unknown failure"]);
});
