import { answerVehicle, type VehicleAnswer } from "@/lib/policy/answer/answer-vehicle";
import type { CryptoHooks } from "@/lib/policy/answer/crypto-hooks";
import type { PolicySource } from "@/lib/policy/policy-source";
import type { PolicyRuntime } from "@/lib/policy/runtime";
import { listFindings } from "@/lib/policy/status";
import type { Environment } from "@/lib/words/vocabulary";
import { collectGarbage } from "@/lib/process/collect-garbage";
import { createConsolePolicy } from "@/lib/server/console-policy";
import { createMetrics, type Metrics } from "@/lib/server/metrics";
import { replacedConnections } from "@/lib/db/connection/replaced-connections";
import { createVehicleLog, type VehicleEvent } from "@/lib/lane/vehicle-log";
import { hasMain } from "@/lib/process/channel";
import { droppedLines } from "@/lib/log-output";
import { askForFigures } from "@/lib/process/tell-figures";
import type { Settings } from "@/lib/settings";

/** What exists once in the process and is shared by the server entry and the bundles of Next. */
export interface Services {
  readonly runtime: PolicyRuntime;
  readonly metrics: Metrics;
  /**
   * Answers a vehicle that no lane has answered, from the policy in service, without compression. Never rejects.
   *
   * @param body decoded
   * @param contentType as sent; undefined when none was
   */
  answerVehicle(environment: Environment, body: Buffer, contentType?: string): Promise<VehicleAnswer>;
  /** Told of each such answer, refusals included: counts it as lanes do (`processes.md` N6), and logs it (N14). */
  observeVehicle(event: VehicleEvent): void;
}

const key = Symbol.for("open-policy-server.services");
const shared = globalThis as { [key]?: Services | undefined };

/** Makes the services of this process and puts them where every bundle finds them. */
export function installServices(options: {
  readonly settings: Settings;
  readonly source: PolicySource;
  readonly hooks: CryptoHooks;
  /** Called with a sentence for the operator when the database can never be used as it is (rule B2). */
  readonly onRefusal?: (error: Error) => void;
  /** Called once, when the first data are loaded and the first policy made from them is in service. */
  readonly afterFirstLoad?: () => void;
}): Services {
  const { settings } = options;
  const runtime = createConsolePolicy({
    settings,
    source: options.source,
    onRefusal: options.onRefusal ?? (() => undefined),
    afterFirstLoad: () => {
      collectGarbage();
      options.afterFirstLoad?.();
    },
  });
  const name = hasMain() ? "console" : "server";
  const metrics = createMetrics(() => runtime.status(), listFindings, {
    name,
    replacedConnections,
    droppedLines,
    ...(hasMain() && { others: askForFigures }),
  });
  const logVehicle = createVehicleLog(settings);
  return (shared[key] = {
    runtime,
    metrics,
    answerVehicle: async (environment, body, contentType) =>
      answerVehicle({
        environment,
        body,
        contentType,
        acceptsGzip: false,
        policy: runtime.policy(environment),
        hooks: options.hooks,
      }),
    observeVehicle: (event) => {
      metrics.observeVehicle(event);
      logVehicle(event);
    },
  });
}

/** The services of this process, or null when the server entry (or `instrumentation.ts`) has not made them yet. */
export function findServices(): Services | null {
  return shared[key] ?? null;
}
