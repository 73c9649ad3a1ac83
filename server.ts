/**
 * The server entry: one process that answers vehicles itself and hands every other request to Next.
 *
 * Kept short on purpose: it wires parts that are tested on their own, and decides the order of start and stop.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import createNext from "next";
import { openDatabase } from "@/lib/db/provider";
import { createDirectoryRuntime } from "@/lib/directory/runtime";
import { createDatabaseSource } from "@/lib/policy/database-source";
import { loadCryptoHooks } from "@/lib/policy/crypto-hooks";
import { policyRouteOf } from "@/lib/policy/lane";
import { installServices } from "@/lib/server/services";
import { loadSessionSecret } from "@/lib/auth/session-secret";
import { announce } from "@/lib/server/announce";
import { boundHeapGrowth } from "@/lib/server/collect-garbage";
import { closeDataDir, findReadableSecrets } from "@/lib/server/private-files";
import { markUnavailable } from "@/lib/server/mark-unavailable";
import { prepareForNext } from "@/lib/server/prepare-for-next";
import { refusePlain } from "@/lib/server/refuse-plain";
import { refuseUnusable } from "@/lib/server/refuse-unusable";
import { sendBundle } from "@/lib/server/send-bundle";
import { closeServers, listen } from "@/lib/server/listen";
import { log } from "@/lib/log";
import { endProcess } from "@/lib/process/log-output";
import { loadSettings, loadSettingsWarnings, isSettingsError } from "@/lib/settings";

/** Requests under way get this long at a stop; the whole stop stays below 10 s. */
const finishMs = 8_000;

async function main(): Promise<void> {
  const settings = loadSettings();
  for (const warning of loadSettingsWarnings()) log.warn(warning);
  const openFiles = [closeDataDir(settings), ...findReadableSecrets(settings, process.cwd())];
  for (const warning of openFiles) if (warning !== null) log.warn(warning);
  // Made now, so that a folder that cannot be written stops the start and not the first login.
  if (settings.authType === "basic") loadSessionSecret(settings);
  const hooks = await loadCryptoHooks(settings.policyCryptoModule, process.cwd());
  // Not awaited here: opening reads all of an embedded database, and vehicles may be served from the disk meanwhile.
  const database = openDatabase({ mongodbUri: settings.mongodbUri ?? undefined, dataDir: settings.dataDir }, giveUp);
  database.catch(giveUp);
  const source = createDatabaseSource(settings, database);
  const directory = createDirectoryRuntime(settings);
  const afterFirstLoad = () => directory.start();
  const { runtime, lane } = installServices({ settings, source, hooks, onRefusal: giveUp, afterFirstLoad });
  runtime.start();

  const isDevelopment = settings.nodeEnv === "development";
  const next = createNext({
    dev: isDevelopment,
    hostname: "127.0.0.1",
    port: settings.policyServerPort,
    // Next listens for upgrades on the server of its first request, unless it has one: with such a listener Node hands it
    // every request that offers one (HTTP/2, WebSocket), and nobody answers. This one never listens. The development
    // tools use a WebSocket.
    ...(isDevelopment ? {} : { httpServer: createServer() }),
  });
  const handler = next.getRequestHandler();
  const prepared = next.prepare();
  // Awaited below; until then a failure of Next must not look like one that nobody handles.
  prepared.catch(() => undefined);
  const prepareRequest = prepareForNext(settings);
  const isRefused = refusePlain(settings);
  const toNext = async (request: IncomingMessage, response: ServerResponse) => {
    await prepared;
    prepareRequest(request, response);
    markUnavailable(request, response);
    if (
      refuseUnusable(request, response) ||
      isRefused(request, response) ||
      (await sendBundle(request, response, settings.bundleDir))
    )
      return;
    await handler(request, response);
  };
  const servers = await listen(
    (request, response) => {
      const environment = policyRouteOf(request);
      if (environment) lane.handle(request, response, environment);
      else toNext(request, response).catch((error: unknown) => answerFailure(error, response));
    },
    { address: settings.listenAddress, port: settings.policyServerPort, tls: settings.tls },
  );
  await Promise.all([prepared, database]);
  announce(settings, servers);

  const stop = async (signal: string) => {
    log.info({ signal }, "stopping");
    // Whatever hangs, acknowledged writes are on disk and the supervisor gets its answer.
    setTimeout(() => process.exit(0), finishMs + 1_500).unref();
    await Promise.all([closeServers(servers, finishMs), directory.stop()]);
    await runtime.stop();
    await source.close();
    await endProcess(0);
  };
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, () => void stop(signal));
}

/** Next answers its own failures; this is what is left when even that fails. */
function answerFailure(error: unknown, response: ServerResponse): void {
  log.error({ err: error }, "request failed outside of its handler");
  if (!response.headersSent) response.writeHead(500, { "Content-Type": "text/plain" });
  response.end();
}

function giveUp(error: unknown): void {
  const reason = error instanceof Error ? error.message : "unknown failure";
  for (const line of isSettingsError(error) ? error.problems : [reason]) log.fatal(line);
  void endProcess(1);
}

boundHeapGrowth();
process.on("unhandledRejection", (error) => log.error({ err: error }, "a failure that nobody handled"));
main().catch(giveUp);
