/** Test files of `api` share a process, so this resets the server's globals, caches and mocks after each file. */
import { afterAll, vi } from "vitest";
import { replaceLoginThrottle } from "@/lib/platform/auth/login-throttle";
import { forgetProvider } from "@/lib/platform/auth/people/provider";
import { certificateWorker } from "@/lib/certificates/worker/worker-client";
import { disconnect } from "@/lib/platform/db/connection/connect";
import { noteUnexpectedDatabase } from "@/lib/platform/db/connection/unexpected-database";
import { noteWriteRefusal } from "@/lib/platform/db/connection/write-refusal";
import { setExampleEndpoint } from "@/lib/apps/directory/client/endpoint";
import { findDirectoryRuntime } from "@/lib/apps/directory/runtime";
import { believeClientHeaders } from "@/lib/platform/http/read/client-address";
import { findServices, shareServices } from "@/lib/policy/services";
import { reachMain } from "@/lib/platform/process/channel";
import { replaceSettings } from "@/lib/platform/settings";
import { forgetRecords } from "@/test/support/database";

const registry = globalThis as unknown as Record<symbol, unknown>;
const symbolOf = (name: string) => Symbol.for(`policy-server.${name}`);

/** Created again on the next use. */
const madeAnew = ["certificate-worker", "access-tokens", "ended-sessions", "sign-ins"];
/** Held by modules; empty in a new process. */
const emptied = ["container-requests", "seen-locks", "revision-listeners", "workers"];
const asAtFirst: Readonly<Record<string, () => object>> = {
  "first-certificates": () => ({ running: new Map(), failedAt: new Map() }),
  "authority-end": () => ({ end: null }),
  "break-glass": () => ({ warnedAt: -Infinity }),
  "audit-events": () => ({ events: [] }),
  "failed-sign-ins": () => ({ byAddress: new Map() }),
};

afterAll(async () => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  await findServices()?.runtime.stop();
  await findDirectoryRuntime()?.stop();
  await certificateWorker().stop();
  await disconnect();
  shareServices(null);
  setExampleEndpoint(null);
  reachMain(null);
  noteWriteRefusal(null);
  noteUnexpectedDatabase(false);
  replaceSettings(null);
  believeClientHeaders(false);
  replaceLoginThrottle(null);
  forgetProvider();
  forgetRecords();
  for (const name of madeAnew) registry[symbolOf(name)] = undefined;
  for (const name of emptied) {
    const held = registry[symbolOf(name)];
    if (held instanceof Map || held instanceof Set) held.clear();
  }
  for (const [name, create] of Object.entries(asAtFirst)) Object.assign(registry[symbolOf(name)] ?? {}, create());
});
