"one per process";

import type { VehicleAnswer, VehicleEvent } from "@/lib/policy/answer/answer-vehicle";
import type { PolicyRuntime } from "@/lib/policy/runtime";
import type { Environment } from "@/lib/vocabulary/terms";

export interface Services {
  readonly runtime: PolicyRuntime;
  /** Answers what no vehicle worker has answered, uncompressed. Never rejects. `contentType`: undefined if missing. */
  answerVehicle(environment: Environment, body: Buffer, contentType?: string): Promise<VehicleAnswer>;
  /** Called for each such answer, also refusals: counts it like workers (`processes.md` N6), and logs it (N14). */
  observeVehicle(event: VehicleEvent): void;
  readonly metrics: { collect(): Promise<{ readonly text: string; readonly contentType: string }> };
}

let current: Services | null = null;

/** The services of this process, or null if the server entry (or `instrumentation.ts`) has not created them yet. */
export function findServices(): Services | null {
  return current;
}

/** Sets the services of this process; null removes them. */
export function shareServices(services: Services | null): void {
  current = services;
}
