import { onTestFinished } from "vitest";
import { createLanePolicy } from "@/lib/vehicle-api/worker-policy";
import { loadSettings } from "@/lib/platform/settings";
import { seenOf } from "./fake-policy-source";

/** The policy of a lane in this process with the present settings, stopped when the test ends. */
export function aLane(address: Promise<string>) {
  const lane = createLanePolicy(loadSettings(), address);
  const { runtime } = lane;
  let stopped: Promise<void> | null = null;
  const stop = () => (stopped ??= lane.stop());
  onTestFinished(stop);
  runtime.start();
  const answerable = () => lane.answerable();
  return { runtime, ...seenOf(runtime), stop, answerable };
}
