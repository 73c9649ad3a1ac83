import type { Logger } from "pino";
import { accessLog, log } from "@/lib/platform/log";
import { countedLine } from "@/lib/platform/process/counted-line";
import type { VehicleEvent } from "@/lib/policy/answer/answer-vehicle";
import type { Settings } from "@/lib/platform/settings";

/** One of so many answers that are no refusals is logged with `LOG_VEHICLES=sample`. */
const sampled = 1000;

export interface VehicleLogOptions {
  /** For answers: members that are fixed in code. `log` and `accessLog` of `lib/platform/log.ts` when not given. */
  readonly accessLog?: Logger;
  /** For failures with their cause. */
  readonly log?: Logger;
  /** Gives a number from 0 to below 1; `Math.random` when not given. */
  readonly random?: () => number;
  /** The present time in milliseconds; `performance.now` when not given. */
  readonly now?: () => number;
}

/**
 * Makes what logs answers to vehicles as `LOG_VEHICLES` says (`processes.md` N14): all that are not 2xx with their
 * cause; of others none (`errors`), one of 1,000 (`sample`), or each (`all`). Repaired requests (rule Q4): one line a
 * minute.
 */
export function createVehicleLog(
  { logVehicles }: Pick<Settings, "logVehicles">,
  options: VehicleLogOptions = {},
): (event: VehicleEvent) => void {
  const answers = options.accessLog ?? accessLog;
  const failures = options.log ?? log;
  const random = options.random ?? Math.random;
  const tellRepairs = countedLine(
    (requests) => failures.warn({ requests }, "requests of vehicles were garbled on their way, and were repaired"),
    options.now,
  );
  return (event) => {
    if (event.repair !== null) tellRepairs();
    const isRefusal = event.status < 200 || event.status > 299;
    if (event.status === 500) failures.error({ ...describe(event), err: event.cause }, "request failed");
    // Only a module for encryption gives a refusal a cause; what it says is for the operator, not for the vehicle.
    else if (event.cause) {
      failures.warn({ ...describe(event), err: event.cause }, "a policy table could not be decrypted");
    } else if (isRefusal || logVehicles === "all") answers.info(describe(event), "request");
    else if (logVehicles === "sample" && random() * sampled < 1)
      answers.info({ ...describe(event), sampled }, "request");
  };
}

function describe({ environment, method, status, milliseconds, requestId }: VehicleEvent) {
  return {
    method,
    path: `/api/v1/${environment}/policy`,
    status,
    ms: Math.round(milliseconds * 100) / 100,
    request_id: requestId,
  };
}
