import { accessLog, log } from "@/lib/platform/log";
import { countedLine } from "@/lib/platform/process/counted-line";
import type { VehicleEvent } from "@/lib/policy/answer/answer-vehicle";
import type { Settings } from "@/lib/platform/settings";

const sampled = 1000;

/** `accessLog` is for responses, whose fields are fixed in code. */
const usual = { accessLog, log, random: () => Math.random(), now: () => performance.now() };

/**
 * Logs responses to vehicles (`processes.md` N14): each that is not 2xx, with its cause; of others one of 1,000, with
 * `LOG_LEVEL=debug` each. Repaired requests (rule Q4): one line a minute.
 */
export function createVehicleLog(
  { logLevel }: Pick<Settings, "logLevel">,
  options: Partial<typeof usual> = {},
): (event: VehicleEvent) => void {
  const { accessLog: answers, log: failures, random, now } = { ...usual, ...options };
  const tellRepairs = countedLine(
    (requests) => failures.warn({ requests }, "requests of vehicles were garbled on their way, and were repaired"),
    now,
  );
  return (event) => {
    if (event.repair !== null) tellRepairs();
    const isRefusal = event.status < 200 || event.status > 299;
    if (event.status === 500) failures.error({ ...describe(event), err: event.cause }, "request failed");
    // Only an encryption module gives a refusal a cause. It is for the operator, not the vehicle.
    else if (event.cause) {
      failures.warn({ ...describe(event), err: event.cause }, "a policy table could not be decrypted");
    } else if (isRefusal || logLevel === "debug") answers.info(describe(event), "request");
    else if (random() * sampled < 1) answers.info({ ...describe(event), sampled }, "request");
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
