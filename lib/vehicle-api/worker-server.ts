import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { ownSiteOnly, securityHeaders } from "@/lib/platform/http/headers/security-headers";
import { ConsoleGateway, type ObservePassedOn } from "@/lib/vehicle-api/console-gateway";
import type { ConsoleAddress } from "@/lib/vehicle-api/pass-on";
import { log } from "@/lib/platform/log";
import { countedLine } from "@/lib/platform/process/counted-line";
import { policyRouteOf, VehicleWorker, type VehicleWorkerOptions } from "@/lib/vehicle-api/worker";
import type { RuntimeStatus } from "@/lib/policy/runtime-status";
import { closeServers, type Ports, serve, stopAccepting } from "@/lib/platform/listen/listen";
import { OpenConnections } from "@/lib/platform/listen/open-connections";
import { findDescriptorLimit } from "@/lib/platform/process/run-time";
import { shareDescriptors } from "@/lib/vehicle-api/limits";
import type { Settings } from "@/lib/platform/settings";
import { phonesAskByHttps } from "@/lib/vocabulary/phones";
import type { VehicleWorkerTraces } from "@/lib/vehicle-api/worker-traces";
import { buildReadiness, healthAnswer } from "@/lib/policy/health";

export interface VehicleWorkerServerOptions extends Pick<
  VehicleWorkerOptions,
  "policy" | "rollout" | "holdsRelease" | "noteRepeat" | "hooks" | "observe" | "offer"
> {
  readonly settings: Pick<Settings, "tls" | "trustProxyAddresses" | "authUserHeader">;
  readonly ports: Ports;
  readonly status: () => RuntimeStatus | null;
  readonly console: ConsoleAddress;
  readonly observePassedOn: ObservePassedOn;
  /** Requests that it has open at the console at most (`processes.md` N3). */
  readonly consoleRequests?: number;
  readonly traces?: VehicleWorkerTraces | null;
  /** Whether a stop is announced: readiness is then 503, and connections close after their response. */
  readonly isDraining: () => boolean;
}

export type VehicleWorkerUse = ReturnType<VehicleWorkerServer["figures"]>;
export type VehicleWorkerServer = Awaited<ReturnType<typeof startVehicleWorkerServer>>;

/** Starts to serve clients (`processes.md` N2, N3, N8, N12). Throws one sentence if a port is taken. */
export async function startVehicleWorkerServer(options: VehicleWorkerServerOptions) {
  const {
    settings,
    policy,
    rollout = () => null,
    holdsRelease,
    noteRepeat,
    hooks,
    observe,
    offer,
    observePassedOn,
    isDraining,
    traces = null,
    consoleRequests = 64,
  } = options;
  const headers = securityHeaders(settings.tls !== null);
  let isRetired = false;
  const isEnding = () => isRetired || isDraining();
  const vehicleWorker = new VehicleWorker({
    policy,
    rollout,
    holdsRelease,
    noteRepeat,
    hooks,
    headers,
    proxies: settings,
    isDraining: isEnding,
    traces,
    observe,
    offer,
  });
  const descriptors = shareDescriptors(findDescriptorLimit(), consoleRequests);
  const { consoleRequests: maxAtOnce, slowClients: maxSlowClients } = descriptors;
  const toConsole = { console: options.console, maxAtOnce, maxSlowClients, trusted: settings };
  const gateway = new ConsoleGateway({ ...toConsole, headers, isDraining: isEnding, traces, observePassedOn });
  const listener: RequestListener = (request, response) => {
    // Readiness does not change, because the server as a whole continues.
    if (isRetired) response.shouldKeepAlive = false;
    const environment = policyRouteOf(request);
    if (environment !== null) vehicleWorker.handle(request, response, environment);
    else if (!answerProbe(request, response, headers, options)) void gateway.pass(request, response);
  };
  let handshakes = 0;
  // Phones start with TLS, whatever the announced address (`phones.md` Q6).
  const tellHandshakes = countedLine((count) =>
    log.warn({ handshakes: count }, `TLS on the plain port. ${phonesAskByHttps}`),
  );
  const tellCrowded = countedLine((times) =>
    log.warn(
      { connections: descriptors.connections, times },
      "as many connections as open files allow: those without a request for the longest were closed; raise the limit of " +
        "open files (LimitNOFILE, ulimit -n)",
    ),
  );
  const servers = await serve(listener, options.ports, {
    onHandshake: () => {
      handshakes += 1;
      tellHandshakes();
    },
    connections: new OpenConnections(descriptors.connections, tellCrowded),
  });
  return {
    ports: servers.map((server) => {
      const address = server.address();
      return typeof address === "object" && address !== null ? address.port : 0;
    }),
    figures: () => ({ vehicles: vehicleWorker.figures(), console: gateway.figures(), handshakes }),
    /** Accepts no more connections, and closes open ones after their next response: a new worker has taken over. */
    retire: () => {
      isRetired = true;
      stopAccepting(servers);
    },
    stop: async (deadlineMs: number) => {
      const isForced = await closeServers(servers, deadlineMs);
      gateway.close();
      return isForced;
    },
  };
}

const probe = /^\/health(\/ready)?\/?(?:\?|$)/;

/** Responds to probes without the console (`processes.md` section 1); false: not a probe. */
function answerProbe(
  { method, url = "" }: IncomingMessage,
  response: ServerResponse,
  headers: Readonly<Record<string, string>>,
  { status, isDraining }: Pick<VehicleWorkerServerOptions, "status" | "isDraining">,
): boolean {
  const asked = probe.exec(url);
  if (asked === null || (method !== "GET" && method !== "HEAD")) return false;
  const readiness = () => buildReadiness(status(), { isStopping: isDraining(), now: Date.now() });
  const answer = asked[1] === undefined ? healthAnswer : readiness();
  if (isDraining()) response.shouldKeepAlive = false;
  const length = String(Buffer.byteLength(answer.body));
  response.writeHead(answer.status, { ...headers, ...ownSiteOnly, ...answer.headers, "Content-Length": length });
  response.end(method === "HEAD" ? undefined : answer.body);
  return true;
}
