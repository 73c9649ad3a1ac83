import type { RequestListener } from "node:http";
import { securityHeaders } from "@/lib/platform/http/headers/security-headers";
import { ConsoleGateway, type GatewayFigures, type ObservePassedOn } from "@/lib/vehicle-api/console-gateway";
import { createHealth } from "@/lib/vehicle-api/health";
import type { VehicleWorkerFigures } from "@/lib/vehicle-api/limits";
import type { ConsoleAddress } from "@/lib/vehicle-api/pass-on";
import { log } from "@/lib/platform/log";
import { countedLine } from "@/lib/platform/process/counted-line";
import { policyRouteOf, VehicleWorker, type VehicleWorkerOptions } from "@/lib/vehicle-api/worker";
import type { RuntimeStatus } from "@/lib/policy/runtime-status";
import { closeServers, type Ports, serve, stopAccepting } from "@/lib/platform/listen/listen";
import type { Settings } from "@/lib/platform/settings";
import { phonesAskByHttps } from "@/lib/labels/phones";
import type { VehicleWorkerTraces } from "@/lib/vehicle-api/worker-traces";

export interface VehicleWorkerServerOptions extends Pick<VehicleWorkerOptions, "policy" | "hooks" | "observe"> {
  readonly settings: Pick<
    Settings,
    "tls" | "trustProxy" | "trustProxyAddresses" | "maxBodiesPerAddress" | "consoleMaxRequests"
  >;
  /** Where it listens. Of several vehicle workers that share them, the system gives each connection to one that takes it. */
  readonly ports: Ports;
  /** Of the policies in service. */
  readonly status: () => RuntimeStatus | null;
  /** Where the console listens. */
  readonly console: ConsoleAddress;
  readonly observePassedOn: ObservePassedOn;
  /** Chooses requests that become spans; none do when not given. */
  readonly traces?: VehicleWorkerTraces | null;
  /** Whether a stop is announced: readiness is 503 then, and connections end with their answer (N12). */
  readonly isDraining: () => boolean;
}

/** What of a vehicle worker's limits is in use, and what it has refused since its start, for metrics (`processes.md` N6). */
export interface VehicleWorkerUse {
  readonly vehicles: VehicleWorkerFigures;
  /** Of what is passed on to the console. */
  readonly console: GatewayFigures;
  /** Connections on the plain port that began with TLS. */
  readonly handshakes: number;
}

/** What a vehicle worker does for clients: vehicles and probes are answered, everything else is passed on to the console. */
export interface VehicleWorkerServer {
  readonly ports: readonly number[];
  /** What is in use now. */
  figures(): VehicleWorkerUse;
  /** Takes no more connections, and closes those that there are after their next answer: another vehicle worker has come (N2). */
  readonly retire: () => void;
  /** Stops accepting and lets requests finish for `deadlineMs`; gives whether something was cut off. */
  stop(deadlineMs: number): Promise<boolean>;
}

/** Starts to serve clients (`processes.md` N2, N3, N8, N12). Throws one sentence when a port is taken. */
export async function startVehicleWorkerServer(options: VehicleWorkerServerOptions): Promise<VehicleWorkerServer> {
  const { settings, policy, hooks, observe, observePassedOn, status, isDraining, traces = null } = options;
  const headers = securityHeaders(settings.tls !== null);
  let isRetired = false;
  const isEnding = () => isRetired || isDraining();
  const limits = { maxPerClient: settings.maxBodiesPerAddress };
  const vehicleWorker = new VehicleWorker({
    policy,
    hooks,
    headers,
    limits,
    proxies: settings,
    isDraining: isEnding,
    traces,
    observe,
  });
  const toConsole = { console: options.console, maxAtOnce: settings.consoleMaxRequests };
  const gateway = new ConsoleGateway({ ...toConsole, headers, isDraining: isEnding, traces, observePassedOn });
  const answerProbe = createHealth({ headers, status, isDraining });
  const listener: RequestListener = (request, response) => {
    // Readiness stays what it is: the server that it asks about goes on.
    if (isRetired) response.shouldKeepAlive = false;
    const environment = policyRouteOf(request);
    if (environment !== null) vehicleWorker.handle(request, response, environment);
    else if (!answerProbe(request, response)) void gateway.pass(request, response);
  };
  let handshakes = 0;
  // As phones begin, whatever is announced (`phones.md` Q6).
  const tellHandshakes = countedLine((count) =>
    log.warn({ handshakes: count }, `TLS on the plain port. ${phonesAskByHttps}`),
  );
  const servers = await serve(listener, options.ports, () => {
    handshakes += 1;
    tellHandshakes();
  });
  return {
    ports: servers.map((server) => {
      const address = server.address();
      return typeof address === "object" && address !== null ? address.port : 0;
    }),
    figures: () => ({ vehicles: vehicleWorker.figures(), console: gateway.figures(), handshakes }),
    retire() {
      isRetired = true;
      stopAccepting(servers);
    },
    stop: async (deadlineMs) => {
      const isForced = await closeServers(servers, deadlineMs);
      gateway.close();
      return isForced;
    },
  };
}
