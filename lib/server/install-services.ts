import { answerVehicle } from "@/lib/policy/answer/answer-vehicle";
import type { CryptoHooks } from "@/lib/policy/answer/crypto-hooks";
import type { PolicySource } from "@/lib/policy/policy-source";
import { type Services, shareServices } from "@/lib/policy/services";
import { listFindings } from "@/lib/policy/status";
import { collectGarbage } from "@/lib/platform/process/collect-garbage";
import { createConsolePolicy } from "@/lib/server/console-policy";
import { createMetrics, type Metrics } from "@/lib/server/metrics";
import { replacedConnections } from "@/lib/platform/db/connection/replaced-connections";
import { createVehicleLog } from "@/lib/vehicle-api/vehicle-log";
import "@/lib/gate/gate";
import { hasMain } from "@/lib/platform/process/channel";
import { droppedLines } from "@/lib/platform/log-output";
import { askForFigures } from "@/lib/platform/process/figures-channel";
import type { Settings } from "@/lib/platform/settings";

/** Makes the services of this process and puts them where every bundle finds them. */
export function installServices(options: {
  readonly settings: Settings;
  readonly source: PolicySource;
  readonly hooks: CryptoHooks;
  /** Called with a sentence for the operator when the database can never be used as it is (rule B2). */
  readonly onRefusal?: (error: Error) => void;
  /** Called once, when the first data are loaded and the first policy made from them is in service. */
  readonly afterFirstLoad?: () => void;
}): Services & { readonly metrics: Metrics } {
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
    savedAt: () => runtime.savedAt,
    replacedConnections,
    droppedLines,
    ...(hasMain() && { others: askForFigures }),
  });
  const logVehicle = createVehicleLog(settings);
  const services: Services & { readonly metrics: Metrics } = {
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
  };
  shareServices(services);
  return services;
}
