/**
 * Only the vehicle worker's server: initial data and distinct apps compiled in memory, without a database or other processes.
 * For profiles (`node --cpu-prof --import tsx bench/worker-alone.ts`) and `npm run bench -- --alone`.
 */
import { writeFileSync } from "node:fs";
import { startHandingOver } from "@/lib/fleet/hand-over";
import { createHoldsRelease } from "@/lib/fleet/rollout/held-release";
import { FleetSampler } from "@/lib/fleet/sampler";
import { variables } from "@/lib/platform/settings/variables";
import { createVehicleWorkerFigures } from "@/server/figures/worker-figures";
import { bindPort } from "@/lib/platform/listen/bind";
import { placeKeyOf } from "@/lib/policy/rollout/place";
import { compilePolicy } from "@/lib/policy/table/compiled-policy";
import { createVehicleLog } from "@/lib/vehicle-api/vehicle-log";
import { startVehicleWorkerServer } from "@/lib/vehicle-api/worker-server";
import { policyOptions } from "@/test/support/builders";
import { distinctSnapshot } from "@/bench/distinct-policy";

const snapshot = await distinctSnapshot(Number(process.env["APPS"] ?? 200));
const policy = await compilePolicy(snapshot, "production", policyOptions(), () => undefined);
const figures = createVehicleWorkerFigures("vehicle-worker-1", {
  status: () => {
    throw new TypeError("nobody asks for the figures of a vehicle worker alone");
  },
  isDatabaseConnected: () => false,
});
const logVehicle = createVehicleLog({ logLevel: "info" });
const fleetStatistics = variables.shape.FLEET_STATISTICS.parse(process.env["FLEET_STATISTICS"] ?? "off");
const sampler =
  fleetStatistics === "off"
    ? null
    : new FleetSampler({ fleetStatistics, fleetSamplePerSecond: Number(process.env["FLEET_SAMPLE_PER_SECOND"] ?? 50) });
if (sampler !== null) {
  const handing = startHandingOver(sampler, (batch) => {
    JSON.stringify(batch);
    setImmediate(() => handing.acknowledge(batch.id));
  });
}
const percent = Number(process.env["ROLLOUT"] ?? 0);
const { groups, messages, moduleConfigs, vehicleData } = snapshot;
const rollout = {
  ...{ number: 1, salt: "00112233445566778899aabbccddeeff", percent, isPaused: false, release: 2, before: 1 },
  ...{ countries: [], software: [], hardware: [] },
  records: {
    groups: groups.production,
    messages: messages.production,
    moduleConfigs: moduleConfigs.production,
    vehicleData: vehicleData.production,
  },
};
const served = percent === 0 ? null : { rollout, before: policy, placeKey: placeKeyOf(rollout) };
// With `TURNS`, the same process counts and rolls out in every other turn only, and writes what each turn cost.
const turnsFile = process.env["TURNS"] ?? null;
const turns: MeasuredTurn[] = [];
let isOn = true;
let answered = 0;
if (turnsFile !== null) {
  let [since, used] = [performance.now(), process.cpuUsage()];
  setInterval(() => {
    const { user, system } = process.cpuUsage(used);
    turns.push({ isOn, answered, cpuMs: (user + system) / 1000, ms: performance.now() - since });
    [since, used, answered, isOn] = [performance.now(), process.cpuUsage(), 0, !isOn];
  }, Number(process.env["TURN_MS"]));
}
const server = await startVehicleWorkerServer({
  settings: { tls: null, trustProxyAddresses: [], authUserHeader: null },
  ports: { plain: bindPort({ address: "127.0.0.1", port: Number(process.env["PORT"]) }), secure: null },
  policy: () => policy,
  rollout: () => (isOn ? served : null),
  holdsRelease: createHoldsRelease(),
  noteRepeat: sampler?.noteRepeat.bind(sampler),
  hooks: {},
  observe: (event) => {
    answered += 1;
    figures.observeVehicle(event);
    logVehicle(event);
    if (isOn) sampler?.observe(event);
  },
  offer: (...request) => {
    if (isOn) sampler?.offer(...request);
  },
  observePassedOn: () => undefined,
  status: () => null,
  console: { path: "" },
  isDraining: () => false,
});
process.once("SIGTERM", () => {
  if (turnsFile !== null) writeFileSync(turnsFile, JSON.stringify(turns));
  void server.stop(0).then(() => process.exit(0));
});

/** A turn in which it counted and rolled out, or did not. */
export interface MeasuredTurn {
  readonly isOn: boolean;
  readonly answered: number;
  readonly cpuMs: number;
  readonly ms: number;
}
