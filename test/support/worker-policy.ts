import { onTestFinished } from "vitest";
import { createVehicleWorkerPolicy } from "@/lib/vehicle-api/worker-policy";
import { loadSettings } from "@/lib/platform/settings";
import { seenOf } from "./fake-policy-source";

export function aVehicleWorker(address: Promise<string>) {
  const vehicleWorker = createVehicleWorkerPolicy(loadSettings(), address);
  const { runtime } = vehicleWorker;
  let stopped: Promise<void> | null = null;
  const stop = () => (stopped ??= vehicleWorker.stop());
  onTestFinished(stop);
  runtime.start();
  const answerable = () => vehicleWorker.answerable();
  return { runtime, ...seenOf(runtime), stop, answerable };
}
