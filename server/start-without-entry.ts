import { createDirectoryRuntime } from "@/lib/apps/directory/runtime";
import { loadCryptoHooks } from "@/lib/policy/answer/crypto-hooks";
import { createDatabaseSource } from "@/server/database-source";
import { findServices } from "@/lib/policy/services";
import { createConsoleFleet } from "@/server/fleet/console-fleet";
import { installServices } from "@/server/install-services";
import { startRollouts } from "@/lib/releases/rollout/start-rollouts";
import { startScheduledReleases } from "@/lib/releases/schedule/publish-due";
import { loadSettings } from "@/lib/platform/settings";

/** Creates the services if Next runs alone. Throws without MongoDB: the embedded database needs `server/main.ts`. */
export async function startWithoutEntry(): Promise<void> {
  if (findServices()) return;
  const settings = loadSettings();
  if (settings.mongodbUri === null) throw new Error("MONGODB_URI must be set where Next runs without npm start");
  const source = createDatabaseSource(settings, Promise.resolve(settings.mongodbUri));
  const hooks = await loadCryptoHooks(settings.policyCryptoModule, process.cwd());
  const directory = createDirectoryRuntime(settings);
  const afterFirstLoad = () => {
    directory.start();
    startScheduledReleases(settings);
    startRollouts(settings);
  };
  installServices({ settings, source, hooks, afterFirstLoad, fleet: createConsoleFleet(settings) }).runtime.start();
}
