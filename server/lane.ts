/**
 * A lane: answers vehicles and probes from the compiled policy, and passes everything else on to the console (`processes.md`
 * N2, N3). Its arguments are its name and the console's socket.
 */
import { findDatabaseAddress } from "@/lib/db/address";
import { createLanePolicy } from "@/lib/lane/lane-policy";
import { startLaneServer } from "@/lib/lane/lane-server";
import { flushLog, log } from "@/lib/log";
import { loadCryptoHooks } from "@/lib/policy/crypto-hooks";
import { followMain, onMain, refuseToStart, tellMain } from "@/lib/process/channel";
import { loadSettings } from "@/lib/settings";

/** Requests under way get this long at a stop, in milliseconds. */
const finishMs = 8_000;

async function main(name: string, socketPath: string): Promise<void> {
  const settings = loadSettings();
  const hooks = await loadCryptoHooks(settings.policyCryptoModule, process.cwd());
  const { runtime, stop } = createLanePolicy(settings, findDatabaseAddress(settings));
  runtime.start();
  let isDraining = false;
  onMain("drain", () => {
    isDraining = true;
  });
  const server = await startLaneServer({
    settings,
    policy: (environment) => runtime.policy(environment),
    hooks,
    observe: () => undefined,
    status: () => runtime.status(),
    console: { path: socketPath },
    isDraining: () => isDraining,
  });
  followMain(async () => {
    const isForced = await server.stop(finishMs);
    await stop();
    flushLog();
    return isForced ? 1 : 0;
  });
  tellMain({ kind: "ready" });
}

const [name = "lane-1", socketPath = ""] = process.argv.slice(2);
main(name, socketPath).catch((error: unknown) => {
  refuseToStart([error instanceof Error ? error.message : "unknown failure"]);
});
