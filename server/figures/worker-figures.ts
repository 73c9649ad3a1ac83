import type { FleetSampler } from "@/lib/fleet/sampler";
import { fleetFigures } from "@/server/figures/fleet-figures";
import { policyFigures, type SharedSources } from "@/server/figures/policy-figures";
import { counter, createFigures, type Figure, gauge } from "@/lib/platform/process/process-figures";
import { RequestTally, statusClass, statusClasses } from "@/server/figures/request-tally";
import type { VehicleWorkerUse } from "@/lib/vehicle-api/worker-server";
import { repairs, type VehicleEvent } from "@/lib/policy/answer/answer-vehicle";
import { environments } from "@/lib/vocabulary/terms";

export type ObservedAnswer = Pick<VehicleEvent, "environment" | "status" | "milliseconds" | "repair">;

export class VehicleTally {
  readonly #answers = new RequestTally(environments, [200, 400, 500, 503]);
  readonly #repaired = new Map(
    environments.flatMap((environment) =>
      repairs.map((how) => [`${environment} ${how}`, { environment, how, count: 0 }]),
    ),
  );

  observe({ environment, status, milliseconds, repair }: ObservedAnswer): void {
    this.#answers.observe(environment, status, milliseconds);
    const repaired = repair === null ? undefined : this.#repaired.get(`${environment} ${repair}`);
    if (repaired) repaired.count += 1;
  }

  get figures(): readonly Figure[] {
    return [
      ...this.#answers.figures(
        "environment",
        { name: "policy_answers_total", help: "Answers of the policy routes" },
        { name: "policy_answer_seconds", help: "Time from the first line of a vehicle's request to its answer" },
      ),
      counter(
        "policy_requests_repaired_total",
        "Vehicle requests that were answered although their bytes were garbled on the way",
        () => [...this.#repaired.values()].map(({ count, ...labels }) => ({ labels, value: count })),
      ),
    ];
  }
}

export function createVehicleWorkerFigures(
  name: string,
  sources: SharedSources & { readonly inUse?: () => VehicleWorkerUse; readonly sampler?: FleetSampler | null },
) {
  const { inUse, sampler = null, ...shared } = sources;
  const figures = createFigures(name);
  const [vehicles, passedOn] = [new VehicleTally(), new RequestTally(["console"], statusClasses)];
  figures.add(
    ...vehicles.figures,
    ...passedOn.figures(
      "to",
      { name: "policy_passed_on_total", help: "Requests that were passed on, by class of the answer's status" },
      { name: "policy_passed_on_seconds", help: "Time to the end of the answer to a request that was passed on" },
    ),
    ...fleetFigures(sampler),
    ...policyFigures(shared),
    ...(inUse === undefined
      ? []
      : [handshakes(inUse), ...vehicleUse(() => inUse().vehicles), ...consoleUse(() => inUse().console)]),
  );
  return {
    observeVehicle: (event: ObservedAnswer) => vehicles.observe(event),
    observePassedOn: (status: number | null, milliseconds: number) =>
      passedOn.observe("console", status === null ? "none" : statusClass(status), milliseconds),
    collect: (names?: readonly string[]) => figures.collect(names),
  };
}

const byReason = (name: string, help: string, refused: () => Readonly<Record<string, number>>) =>
  counter(name, help, () => Object.entries(refused()).map(([reason, value]) => ({ labels: { reason }, value })));

const handshakes = (inUse: () => VehicleWorkerUse) =>
  counter(
    "policy_tls_on_plain_port_total",
    "TLS connections on the plain HTTP port: phones use HTTPS regardless of the announced address",
    () => inUse().handshakes,
  );

function vehicleUse(inUse: () => VehicleWorkerUse["vehicles"]): readonly Figure[] {
  return [
    gauge("policy_bodies_receiving", "Bodies of requests that are being received", () => inUse().receiving),
    gauge("policy_body_bytes", "Memory for bodies that are being received", () => inUse().bodyBytes),
    gauge("policy_clients", "Clients whose bodies are being received", () => inUse().clients),
    gauge("policy_answers_waiting", "Requests that wait for the encryption module", () => inUse().waiting),
    gauge("policy_unsent_bytes", "Bytes of answers that clients have not read yet", () => inUse().unsentBytes),
    counter(
      "policy_undeclared_proxy_requests_total",
      "Requests of vehicles with X-Forwarded-For from an address that is not a declared proxy",
      () => inUse().undeclared,
    ),
    byReason("policy_refused_total", "Requests refused before they were read, by reason", () => inUse().refused),
  ];
}

function consoleUse(inUse: () => VehicleWorkerUse["console"]): readonly Figure[] {
  return [
    gauge("policy_passed_on_under_way", "Requests that hold a place at the console", () => inUse().underWay),
    gauge("policy_passed_on_waiting", "Requests that wait for a place at the console", () => inUse().waiting),
    gauge(
      "policy_passed_on_slow_clients",
      "Console answers that slow clients have not read yet",
      () => inUse().slowClients,
    ),
    gauge(
      "policy_passed_on_body_bytes",
      "Memory for bodies of requests to the console, until it has answered",
      () => inUse().bodyBytes,
    ),
    byReason(
      "policy_passed_on_refused_total",
      "Requests for the console that the vehicle worker answered itself, by reason",
      () => inUse().refused,
    ),
  ];
}
