import type { VehicleAnswer, VehicleEvent } from "@/lib/policy/answer/answer-vehicle";
import type { PolicyRuntime } from "@/lib/policy/runtime";
import { processGlobal } from "@/lib/platform/process-globals";
import type { Environment } from "@/lib/labels/vocabulary";

/** What exists once per process, shared by the server entry and the bundles of Next. */
export interface Services {
  readonly runtime: PolicyRuntime;
  /**
   * Answers a vehicle request that no vehicle worker has answered, from the policy in service, uncompressed. Never
   * rejects.
   *
   * @param body decoded
   * @param contentType as sent; undefined if missing
   */
  answerVehicle(environment: Environment, body: Buffer, contentType?: string): Promise<VehicleAnswer>;
  /**
   * Called for each such answer, also refusals: counts it like vehicle workers (`processes.md` N6), and logs it (N14).
   */
  observeVehicle(event: VehicleEvent): void;
  /** The metrics of all processes (N6). */
  readonly metrics: { collect(): Promise<{ readonly text: string; readonly contentType: string }> };
}

const shared = processGlobal<{ services: Services | null }>("services", () => ({ services: null }));

/** The services of this process, or null if the server entry (or `instrumentation.ts`) has not created them yet. */
export function findServices(): Services | null {
  return shared.services;
}

/** Makes the services of this process available to every bundle; null removes them. */
export function shareServices(services: Services | null): void {
  shared.services = services;
}
