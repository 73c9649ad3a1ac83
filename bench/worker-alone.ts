/**
 * Only the vehicle worker: initial data and distinct apps compiled in memory, without a database or other processes. For
 * profiles (`node --cpu-prof --import tsx bench/worker-alone.ts`) and `npm run bench -- --alone`.
 */
import { createServer } from "node:http";
import { createVehicleWorkerFigures } from "@/server/figures/worker-figures";
import { securityHeaders } from "@/lib/platform/http/headers/security-headers";
import { compilePolicy } from "@/lib/policy/table/compiled-policy";
import { policyRouteOf, VehicleWorker } from "@/lib/vehicle-api/worker";
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
const vehicleWorker = new VehicleWorker({
  policy: () => policy,
  hooks: {},
  headers: securityHeaders(false),
  limits: { maxPerClient: 0 },
  observe: (event) => figures.observeVehicle(event),
});
const server = createServer((request, response) => {
  const environment = policyRouteOf(request);
  if (environment) vehicleWorker.handle(request, response, environment);
  else response.end("OK");
});
server.listen(Number(process.env["PORT"]), "127.0.0.1");
process.once("SIGTERM", () => {
  server.close(() => process.exit(0));
  server.closeAllConnections();
});
