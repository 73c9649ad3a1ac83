import { databaseState } from "@/lib/platform/db/connection/connect";
import { consoleFigures, type ConsoleSources } from "@/server/figures/console-figures";
import type { CountStore } from "@/lib/fleet/count-store";
import type { FleetSampler } from "@/lib/fleet/sampler";
import { adoptionFigure, fleetFigures } from "@/server/figures/fleet-figures";
import { type ObservedAnswer, VehicleTally } from "@/server/figures/worker-figures";
import { policyFigures, type SharedSources } from "@/server/figures/policy-figures";
import { createFigures } from "@/lib/platform/process/process-figures";
import { RequestTally, statusClass, statusClasses } from "@/server/figures/request-tally";
import type { Figures } from "@/lib/platform/process/messages";
import { loadSettings } from "@/lib/platform/settings";
import { type RequestKind, requestKinds } from "@/server/refusals/known-paths";
import { AggregatorRegistry, Registry } from "prom-client";

export interface Metrics {
  observeVehicle(event: ObservedAnswer): void;
  observeRequest(event: { kind: RequestKind; status: number; milliseconds: number }): void;
  observeServed(milliseconds: number): void;
  /** The metrics of all processes by name; empty for one that does not answer. Default: all metrics. */
  collectAll(names?: readonly string[]): Promise<Readonly<Record<string, Figures>>>;
  /** The same as text. */
  collect(): ReturnType<typeof joinFigures>;
}

export interface MetricsOptions extends Omit<SharedSources, "status"> {
  readonly name?: string;
  readonly sampler?: FleetSampler | null;
  readonly adoption?: CountStore["adoption"] | null;
  /** Requests the metrics of all other processes. Default: none */
  readonly others?: (names?: readonly string[]) => Promise<Readonly<Record<string, Figures>>>;
}

export function createMetrics(
  status: SharedSources["status"],
  findings: ConsoleSources["findings"],
  {
    name = "server",
    sampler = null,
    adoption = null,
    others = () => Promise.resolve({}),
    ...shared
  }: MetricsOptions = {},
): Metrics {
  const figures = createFigures(name);
  const [vehicles, requests] = [new VehicleTally(), new RequestTally(requestKinds, statusClasses)];
  const served = figures.histogram(
    "policy_change_served_seconds",
    "Time from a change, such as a publication, until every vehicle worker of this instance serves it",
    [0.1, 0.25, 0.5, 1, 2, 5, 10, 30, 60],
  );
  const isDatabaseConnected = () => databaseState().status === "connected";
  figures.add(
    ...vehicles.figures,
    ...requests.figures(
      "kind",
      { name: "policy_console_requests_total", help: "Requests of the console, by kind and class of the status" },
      { name: "policy_console_request_seconds", help: "Time from the head of a request to the end of its answer" },
    ),
    ...fleetFigures(sampler),
    ...(adoption === null ? [] : [adoptionFigure(adoption)]),
    ...policyFigures({ status, isDatabaseConnected, ...shared }),
    ...consoleFigures({ settings: loadSettings(), findings }),
  );
  const collectAll = async (names?: readonly string[]) => {
    const [own, rest] = await Promise.all([figures.collect(names), others(names)]);
    return { [name]: own, ...rest };
  };
  return {
    observeVehicle: (event) => vehicles.observe(event),
    observeRequest: ({ kind, status: code, milliseconds }) => requests.observe(kind, statusClass(code), milliseconds),
    observeServed: (milliseconds) => served.observe(milliseconds / 1000),
    collectAll,
    collect: async () => joinFigures(await collectAll()),
  };
}

export async function joinFigures(byProcess: Readonly<Record<string, Figures>>) {
  const values = Object.entries(byProcess).map(([process, figures]) => {
    return { labels: { process }, value: figures.length === 0 ? 0 : 1 };
  });
  const up = {
    ...{ name: "policy_process_up", help: "1 if the process has reported its metrics", type: "gauge", values },
    aggregator: "sum",
  };
  // The library accepts arrays of `getMetricsAsJSON` results; its types say one object.
  const all = [[up], ...Object.values(byProcess).filter((figures) => figures.length > 0)] as unknown as object[];
  const text = await AggregatorRegistry.aggregate(all).metrics();
  const contentType: string = Registry.PROMETHEUS_CONTENT_TYPE;
  return { text, contentType };
}
