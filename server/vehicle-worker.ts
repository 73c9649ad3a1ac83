/** A vehicle API worker (`processes.md` N2, N3). Arguments: its name, the console's socket. */
import { createHoldsRelease } from "@/lib/fleet/rollout/held-release";
import { findDatabaseAddress } from "@/lib/platform/db/connection/address";
import { createVehicleWorkerPolicy } from "@/lib/vehicle-api/worker-policy";
import { type VehicleWorkerServer, startVehicleWorkerServer } from "@/lib/vehicle-api/worker-server";
import { createVehicleWorkerFigures } from "@/server/figures/worker-figures";
import { createWorkerFleet } from "@/server/fleet/worker-fleet";
import { createVehicleLog } from "@/lib/vehicle-api/vehicle-log";
import { nameProcess } from "@/lib/platform/log";
import { loadCryptoHooks } from "@/lib/policy/answer/crypto-hooks";
import { followMain, joinMain, onMain, receivePorts, refuseToStart, sendToMain } from "@/lib/platform/process/channel";
import { dieOnUncaught } from "@/lib/platform/process/die-on-uncaught";
import { sendFigures } from "@/lib/platform/process/figures-channel";
import { loadSettingsOf } from "@/lib/platform/settings";
import { createVehicleWorkerTraces } from "@/lib/vehicle-api/worker-traces";
import { startTraces, stopTraces } from "@/lib/platform/traces/start";

const finishMs = 8_000;
/** `main` kills a vehicle worker half a second after that. */
const flushMs = 400;
/** For the last counts, if stopping has left so much. */
const countsMs = 2_000;

async function main(name: string, socketPath: string): Promise<void> {
  const settings = loadSettingsOf("vehicle-worker");
  const hooks = await loadCryptoHooks(settings.policyCryptoModule, process.cwd());
  const vehicleWorkerPolicy = createVehicleWorkerPolicy(settings, findDatabaseAddress(settings));
  const { runtime } = vehicleWorkerPolicy;
  runtime.start();
  let isDraining = false;
  onMain("drain", () => {
    isDraining = true;
  });
  const console = { path: socketPath };
  onMain("console", ({ path }) => {
    console.path = path;
  });
  const logVehicle = createVehicleLog(settings);
  const fleet = createWorkerFleet(settings);
  const figures = createVehicleWorkerFigures(name, {
    sampler: fleet?.sampler ?? null,
    status: () => runtime.status(),
    isDatabaseConnected: () => runtime.isCurrent,
    inUse: () => {
      if (server === null) throw new Error("the vehicle worker does not listen yet");
      return server.figures();
    },
  });
  let server: VehicleWorkerServer | null = null;
  followMain(async () => {
    const until = performance.now() + finishMs + flushMs;
    const isForced = await server?.stop(finishMs);
    const leftMs = Math.min(countsMs, until - performance.now());
    await Promise.all([vehicleWorkerPolicy.stop(), stopTraces(flushMs), fleet?.stop(leftMs)]);
    return isForced === true ? 1 : 0;
  });
  sendFigures((names) => figures.collect(names));
  await runtime.savedTried;
  sendToMain({ kind: "tried" });
  // A worker that listens gets its share of the vehicles, so it must have a policy first.
  await vehicleWorkerPolicy.answerable();
  server = await startVehicleWorkerServer({
    settings,
    ports: await receivePorts(settings.tls),
    policy: (environment) => runtime.policy(environment),
    rollout: () => runtime.rollout,
    holdsRelease: createHoldsRelease(),
    noteRepeat: fleet?.sampler.noteRepeat.bind(fleet.sampler),
    hooks,
    observe: (event) => {
      figures.observeVehicle(event);
      logVehicle(event);
      fleet?.sampler.observe(event);
    },
    offer: fleet?.sampler.offer.bind(fleet.sampler),
    observePassedOn: (status, milliseconds) => figures.observePassedOn(status, milliseconds),
    status: () => runtime.status(),
    console,
    traces: createVehicleWorkerTraces(settings),
    isDraining: () => isDraining,
  });
  onMain("retire", server.retire);
  sendToMain({ kind: "ready" });
  void startTraces(settings, name);
}

const [name = "vehicle-worker-1", socketPath = ""] = process.argv.slice(2);
nameProcess(name);
joinMain();
dieOnUncaught();
main(name, socketPath).catch((error: unknown) => {
  refuseToStart([error instanceof Error ? error.message : "unknown failure"]);
});
