import { Lane } from "@/lib/policy/lane";
import type { CryptoHooks } from "@/lib/policy/crypto-hooks";
import type { PolicyRuntime, PolicySource } from "@/lib/policy/runtime";
import { listFindings } from "@/lib/policy/status";
import { collectGarbage } from "@/lib/server/collect-garbage";
import { createConsolePolicy } from "@/lib/server/console-policy";
import { createMetrics, type Metrics } from "@/lib/server/metrics";
import { securityHeaders } from "@/lib/http/security-headers";
import { replacedConnections } from "@/lib/db/replaced-connections";
import { createVehicleLog } from "@/lib/lane/vehicle-log";
import { hasMain } from "@/lib/process/channel";
import { droppedLines } from "@/lib/process/log-output";
import { askForFigures } from "@/lib/process/tell-figures";
import type { Settings } from "@/lib/settings";

/** What exists once in the process and is shared by the server entry and the bundles of Next. */
export interface Services {
  readonly runtime: PolicyRuntime;
  readonly lane: Lane;
  readonly metrics: Metrics;
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
  const lane = new Lane({
    policy: (environment) => runtime.policy(environment),
    hooks: options.hooks,
    headers: securityHeaders(settings.tls !== null),
    limits: { mostPerClient: settings.laneMostPerAddress },
    proxies: settings,
    observe: (event) => {
      metrics.observeVehicle(event);
      logVehicle(event);
    },
  });
  return (shared[key] = { runtime, lane, metrics });
}

/** The services of this process, or null when the server entry (or `instrumentation.ts`) has not made them yet. */
export function findServices(): Services | null {
  return shared[key] ?? null;
}
