import type { VehicleAnswer, VehicleEvent } from "@/lib/policy/answer/answer-vehicle";
import type { PolicyRuntime } from "@/lib/policy/runtime";
import { processGlobal } from "@/lib/platform/process-globals";
import type { Environment } from "@/lib/labels/vocabulary";

/** What exists once in the process and is shared by the server entry and the bundles of Next. */
export interface Services {
  readonly runtime: PolicyRuntime;
  /**
   * Answers a vehicle that no vehicle worker has answered, from the policy in service, without compression. Never rejects.
   *
   * @param body decoded
   * @param contentType as sent; undefined when none was
   */
  answerVehicle(environment: Environment, body: Buffer, contentType?: string): Promise<VehicleAnswer>;
  /** Told of each such answer, refusals included: counts it as vehicle workers do (`processes.md` N6), and logs it (N14). */
  observeVehicle(event: VehicleEvent): void;
  /** The figures of all processes (N6). */
  readonly metrics: { collect(): Promise<{ readonly text: string; readonly contentType: string }> };
}

const shared = processGlobal<{ services: Services | null }>("services", () => ({ services: null }));

/** The services of this process, or null when the server entry (or `instrumentation.ts`) has not made them yet. */
export function findServices(): Services | null {
  return shared.services;
}

/** Puts the services of this process where every bundle finds them; null takes them away. */
export function shareServices(services: Services | null): void {
  shared.services = services;
}
