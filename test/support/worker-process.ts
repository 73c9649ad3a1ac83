/* Readiness reports its argument as the revision; with "late" it listens only once it is told to drain. */
import { startVehicleWorkerServer } from "@/lib/vehicle-api/worker-server";
import { followMain, joinMain, receivePorts, sendToMain, whenMain } from "@/lib/platform/process/channel";

const [revision, when] = process.argv.slice(2);
const none = { staging: 0, production: 0 };
joinMain();
if (when === "late") await whenMain("drain");
const server = await startVehicleWorkerServer({
  settings: {
    ...{ tls: null, trustProxyAddresses: [] },
    ...{ authUserHeader: null },
  },
  ports: await receivePorts(process.env.TEST_TLS === undefined ? null : { legacyCiphers: false }),
  policy: () => null,
  hooks: {},
  observe: () => undefined,
  observePassedOn: () => undefined,
  status: () => ({
    ...{ state: "ready", revision: Number(revision), builtAt: null, confirmedAt: null, apps: 0 },
    ...{ groups: none, messages: none, database: "embedded", lastError: null, unexpectedDatabase: null },
  }),
  console: { path: "/nonexistent/console.sock" },
  isDraining: () => false,
});
void whenMain("retire").then(() => server.retire());
followMain(async () => ((await server.stop(100_000)) ? 1 : 0));
sendToMain({ kind: "ready" });
