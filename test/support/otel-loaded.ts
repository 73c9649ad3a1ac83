/** Starts tracing like a server process, and prints which OpenTelemetry packages it has loaded. */
import { createRequire } from "node:module";
import { loadSettings } from "@/lib/platform/settings";
import { createVehicleWorkerTraces } from "@/lib/vehicle-api/worker-traces";
import { startTraces, stopTraces } from "@/lib/platform/traces/start";
import { isTracing } from "@/lib/platform/traces/traces";

const settings = loadSettings();
createVehicleWorkerTraces(settings)?.ofVehicle("production", "POST");
await startTraces(settings, "vehicle-worker-1");
const files = Object.keys(createRequire(import.meta.url).cache);
const names = files.flatMap((file) => /@opentelemetry[/\\][^/\\]+/.exec(file)?.[0] ?? []);
process.stdout.write(JSON.stringify({ isTracing: isTracing(), loaded: [...new Set(names)] }));
await stopTraces(0);
process.exit();
