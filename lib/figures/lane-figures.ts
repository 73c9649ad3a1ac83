import { policyFigures, type SharedSources } from "@/lib/figures/policy-figures";
import { createFigures, type Figure } from "@/lib/figures/process-figures";
import { RequestTally, statusClass } from "@/lib/figures/request-tally";
import type { Figures } from "@/lib/process/messages";
import type { Environment } from "@/lib/policy/vocabulary";

/** What of a lane's limits is in use, and what it has refused since its start (`processes.md` N8). */
export interface LaneUse {
  readonly receiving: number;
  readonly bodyBytes: number;
  readonly clients: number;
  readonly waiting: number;
  readonly unsentBytes: number;
  readonly refused: Readonly<Record<string, number>>;
}

/** The figures of a lane. */
export interface LaneFigures {
  observeVehicle(event: { environment: Environment; status: number; milliseconds: number }): void;
  /** An answer of the console that the lane has passed on, or its own where the console gave none. */
  observePassedOn(status: number, milliseconds: number): void;
  collect(): Promise<Figures>;
}

/** Answers to vehicles, by environment and status. */
export function vehicleFigures(tally: RequestTally): readonly Figure[] {
  return tally.figures(
    "environment",
    { name: "policy_answers_total", help: "Answers of the policy routes" },
    { name: "policy_answer_seconds", help: "Time from the first line of a vehicle's request to its answer" },
  );
}

/**
 * Makes the figures of a lane (`processes.md` N6).
 *
 * @param name of its process, e.g. `lane-1`
 * @param sources asked when figures are collected
 */
export function createLaneFigures(
  name: string,
  sources: SharedSources & { readonly inUse?: () => LaneUse },
): LaneFigures {
  const { inUse, ...shared } = sources;
  const figures = createFigures(name);
  const [vehicles, passedOn] = [new RequestTally(), new RequestTally()];
  figures.add(
    ...vehicleFigures(vehicles),
    ...passedOn.figures(
      "to",
      { name: "policy_passed_on_total", help: "Requests that were passed on, by class of the answer's status" },
      { name: "policy_passed_on_seconds", help: "Time until the answer to a request that was passed on" },
    ),
    ...policyFigures(shared),
    ...(inUse === undefined ? [] : limitFigures(inUse)),
  );
  return {
    observeVehicle: ({ environment, status, milliseconds }) => vehicles.observe(environment, status, milliseconds),
    observePassedOn: (status, milliseconds) => passedOn.observe("console", statusClass(status), milliseconds),
    collect: () => figures.collect(),
  };
}

function limitFigures(inUse: () => LaneUse): readonly Figure[] {
  const gauge = (name: string, help: string, read: () => number): Figure => ({ name, help, type: "gauge", read });
  return [
    gauge("policy_bodies_receiving", "Bodies of requests that are being received", () => inUse().receiving),
    gauge("policy_body_bytes", "Memory for bodies that are being received", () => inUse().bodyBytes),
    gauge("policy_clients", "Clients with a request under way", () => inUse().clients),
    gauge("policy_answers_waiting", "Requests that wait for a module for encryption", () => inUse().waiting),
    gauge("policy_unsent_bytes", "Answers that clients have not taken yet", () => inUse().unsentBytes),
    {
      name: "policy_refused_total",
      help: "Requests that were refused without a look at what they ask, by reason",
      type: "counter",
      read: () => Object.entries(inUse().refused).map(([reason, value]) => ({ labels: { reason }, value })),
    },
  ];
}
