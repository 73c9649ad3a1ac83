/**
 * Only the vehicle worker's server: initial data and distinct apps compiled in memory, without a database or other processes.
 * For profiles (`node --cpu-prof --import tsx bench/worker-alone.ts`) and `npm run bench -- --alone`.
 */
import { createVehicleWorkerFigures } from "@/server/figures/worker-figures";
import { bindPort } from "@/lib/platform/listen/bind";
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
const server = await startVehicleWorkerServer({
  settings: { tls: null, trustProxyAddresses: [], authUserHeader: null },
  ports: { plain: bindPort({ address: "127.0.0.1", port: Number(process.env["PORT"]) }), secure: null },
  policy: () => policy,
  hooks: {},
  observe: (event) => {
    figures.observeVehicle(event);
    logVehicle(event);
  },
  observePassedOn: () => undefined,
  status: () => null,
  console: { path: "" },
  isDraining: () => false,
});
process.once("SIGTERM", () => void server.stop(0).then(() => process.exit(0)));
