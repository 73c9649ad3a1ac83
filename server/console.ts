/** The console (`processes.md`). Listens on the socket in its argument, in development on the port. */
import { findDatabaseAddress } from "@/lib/platform/db/connection/address";
import { createDirectoryRuntime } from "@/lib/apps/directory/runtime";
import { log, nameProcess } from "@/lib/platform/log";
import { loadCryptoHooks } from "@/lib/policy/answer/crypto-hooks";
import { createDatabaseSource } from "@/server/database-source";
import { followMain, joinMain, onMain, receivePorts, refuseToStart, sendToMain } from "@/lib/platform/process/channel";
import { dieOnUncaught } from "@/lib/platform/process/die-on-uncaught";
import { endProcess } from "@/lib/platform/log-output";
import { listenOnSocket } from "@/lib/platform/process/socket-path";
import { followServed } from "@/lib/platform/process/served";
import { boundHeapGrowth } from "@/lib/platform/process/collect-garbage";
import { createConsoleHandler, createConsoleServer } from "@/server/console-server";
import { startFramework } from "@/server/framework";
import { readKnownPaths } from "@/server/refusals/known-paths";
import { closeServers, serve } from "@/lib/platform/listen/listen";
import { createConsoleFleet } from "@/server/fleet/console-fleet";
import { installServices } from "@/server/install-services";
import { startRollouts } from "@/lib/releases/rollout/start-rollouts";
import { startScheduledReleases } from "@/lib/releases/schedule/publish-due";
import { loadSettings } from "@/lib/platform/settings";
import { startTraces, stopTraces } from "@/lib/platform/traces/start";

const finishMs = 2_500;

async function main(socketPath: string | undefined): Promise<void> {
  const settings = loadSettings();
  await startTraces(settings, "console", { watchesDatabase: true });
  const hooks = await loadCryptoHooks(settings.policyCryptoModule, process.cwd());
  const source = createDatabaseSource(settings, findDatabaseAddress(settings), giveUpConnection);
  const directory = createDirectoryRuntime(settings);
  const fleet = createConsoleFleet(settings);
  let endings: readonly (() => Promise<void>)[] = [];
  const onRefusal = (error: Error) => refuseToStart([error.message]);
  const { runtime, metrics } = installServices({
    settings,
    source,
    hooks,
    fleet,
    onRefusal,
    afterFirstLoad: () => {
      directory.start();
      endings = [startScheduledReleases(settings), startRollouts(settings)];
    },
  });
  followServed(onMain, (milliseconds) => metrics.observeServed(milliseconds));
  runtime.start();

  const { handler, prepared } = startFramework(settings);
  const options = {
    settings,
    handler,
    prepared,
    paths: settings.nodeEnv === "development" ? null : readKnownPaths(".next", "public"),
    observe: (event: Parameters<typeof metrics.observeRequest>[0]) => metrics.observeRequest(event),
    isBehindVehicleWorkers: socketPath !== undefined,
  };
  const servers = socketPath === undefined ? await openPort() : [];
  followMain(async () => {
    // Save what is served before anything else can use up the time.
    const served = closeServers(servers, finishMs).then(() => runtime.stop());
    await Promise.all([served, directory.stop(), ...endings.map((end) => end()), fleet?.stop(finishMs)]);
    await Promise.all([source.close(), stopTraces()]);
    return 0;
  });
  await Promise.all([prepared, runtime.databaseTried]);
  // Until now, vehicle workers have kept requests back, or a proxy has sent them to another instance.
  sendToMain({ kind: "ready", ...(socketPath !== undefined && { socket: await openSocket(socketPath) }) });

  async function openPort() {
    const opened = await serve(createConsoleHandler(options), await receivePorts(settings.tls));
    // The first request for a page compiles it, however long that takes.
    for (const server of opened) server.setTimeout(0);
    return opened;
  }

  function openSocket(path: string): Promise<string> {
    const server = createConsoleServer(options);
    servers.push(server);
    return listenOnSocket(server, path);
  }
}

/** A new process has a new driver, whatever is wrong with this one. */
function giveUpConnection(): void {
  log.fatal("the database connection stays dead although new ones work: restarting this process");
  void endProcess(1);
}

nameProcess("console");
joinMain();
dieOnUncaught({ survivesRejections: true });
boundHeapGrowth();
main(process.argv[2]).catch((error: unknown) => {
  log.fatal({ err: error }, "the console cannot start");
  refuseToStart([error instanceof Error ? error.message : "unknown failure"]);
});
