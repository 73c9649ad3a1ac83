/** `npm start`: checks the settings, then starts, watches and stops the other processes (`processes.md` N1). */
import { fileURLToPath } from "node:url";
import { loadAuditKey, loadSessionSecret } from "@/lib/platform/secrets/own-secret";
import { dieOnUncaught } from "@/lib/platform/process/die-on-uncaught";
import { within } from "@/lib/platform/async";
import { endProcess } from "@/lib/platform/log-output";
import { HeldPorts } from "@/server/main/held-ports";
import { createPrograms, vehicleWorkerMemoryMb } from "@/server/main/programs";
import { StartedProcesses } from "@/server/main/started-processes";
import { makeConsoleSocket } from "@/lib/platform/process/socket-path";
import { Supervisor } from "@/server/main/supervisor";
import { announce, closeDataDir, findReadableSecrets, passOnAcceptance } from "@/server/main/at-start";
import { log, nameProcess } from "@/lib/platform/log";
import { loadSettings, loadSettingsWarnings, SettingsError } from "@/lib/platform/settings";
import { requiresSignIn } from "@/lib/platform/settings/kinds";

const nearMemoryLimit = 0.8;
const removeMs = 1_000;
const programOf = (name: string) => fileURLToPath(new URL(`./${name}.js`, import.meta.url));

async function main(): Promise<void> {
  const settings = loadSettings();
  for (const warning of loadSettingsWarnings()) log.warn(warning);
  const openFiles = [closeDataDir(settings), ...findReadableSecrets(settings, process.cwd())];
  for (const warning of openFiles) if (warning !== null) log.warn(warning);
  // Created now, so that a read-only folder stops the start and not the first login.
  if (requiresSignIn(settings.authType)) loadSessionSecret(settings);
  loadAuditKey();
  await passOnAcceptance(process.argv, settings.dataDir);

  const started = new StartedProcesses(settings.dataDir);
  const left = await started.endLeftBehind();
  if (left > 0) log.warn({ processes: left }, "ended processes left behind by an earlier start of this server");
  const ports = await HeldPorts.open(settings);
  const socket = makeConsoleSocket(settings.dataDir);
  // A disk that hangs must not keep the server from ending.
  const end = async (status: number) => {
    await within(removeMs, socket.remove(), () => undefined).catch(() => undefined);
    await endProcess(status);
  };
  const isDevelopment = settings.nodeEnv === "development";
  const programs = createPrograms({ settings, programOf, started, consoleSocket: isDevelopment ? null : socket.path });
  const supervisor = new Supervisor({
    programs,
    ports,
    vehicleWorkers: isDevelopment ? 0 : settings.vehicleWorkers,
    vehicleWorkerMemory: vehicleWorkerMemoryMb * 1024 ** 2 * nearMemoryLimit,
    drainMs: settings.drainSeconds * 1000,
    onReady: () => announce(settings),
    onGiveUp: (problems) => {
      tell(problems);
      supervisor.destroy();
      void end(1);
    },
    log,
  });
  let isStopping = false;
  const stop = async (signal: string) => {
    if (isStopping) {
      supervisor.destroy();
      await end(1);
    }
    isStopping = true;
    log.info({ signal }, "stopping");
    const isFinished = await supervisor.stop();
    await end(isFinished ? 0 : 1);
  };
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.on(signal, () => void stop(signal));
  supervisor.start();
}

function tell(problems: readonly string[]): void {
  for (const line of problems) log.fatal(line);
}

nameProcess("main");
dieOnUncaught();
main().catch((error: unknown) => {
  tell(error instanceof SettingsError ? error.problems : [error instanceof Error ? error.message : "unknown failure"]);
  void endProcess(1);
});
