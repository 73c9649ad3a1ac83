import { setTimeout as wait } from "node:timers/promises";
import type { ModuleContainers } from "@/lib/certificates/module/module-containers";
import type { openVehicleWorkerDatabase } from "@/lib/vehicle-api/worker-database";
import type { PolicySource } from "@/lib/policy/policy-source";
import type { AppCatalogue } from "@/lib/policy/table/snapshot";
import { findSavedOrigin, loadSnapshotFile } from "@/lib/policy/saved/snapshot-file";
import { onMain } from "@/lib/platform/process/channel";
import type { Settings } from "@/lib/platform/settings";

/** Loading the database driver blocks for about 100 ms, so waiting vehicles get answers first. */
const beforeDriverMs = 300;

/** After this many failures, the database is away, not just slow to start on a busy machine. */
const maxFailures = 3;

/** The snapshot on disk, then the database, read only (`processes.md` N2). `onAway`: no writes, or several failures. */
export function createVehicleWorkerSource(
  settings: Settings,
  address: Promise<string>,
  containers: ModuleContainers,
  onAway: () => void = () => undefined,
): PolicySource & { readonly cancel: () => void; readonly close: () => Promise<void> } {
  let database: Awaited<ReturnType<typeof openVehicleWorkerDatabase>> | null = null;
  let served: AppCatalogue | null = null;
  let isServing = false;
  let refusal: string | null = null;
  let failures = 0;
  const forget = onMain("writes", (message) => {
    refusal = message.refusal;
    if (refusal !== null) onAway();
  });
  let cancel: () => void = () => undefined;
  const cancelled = new Promise<never>((_resolve, reject) => {
    cancel = () => reject(new Error("The vehicle worker stops."));
  });
  for (const promise of [cancelled, address]) promise.catch(() => undefined);
  const opened = () => {
    if (database === null) throw new TypeError("a source is opened before it is read");
    return database;
  };
  return {
    async loadSaved() {
      const saved = await loadSnapshotFile(settings.dataDir);
      containers.addAll(saved?.containers ?? {});
      served = saved?.apps ?? null;
      isServing = saved !== null;
      return saved;
    },
    savedOrigin: () => findSavedOrigin(settings.dataDir),
    async open(requireExpected) {
      const uri = await Promise.race([address, cancelled]);
      if (isServing) await wait(beforeDriverMs);
      isServing = false;
      const { openVehicleWorkerDatabase: open } = await import("@/lib/vehicle-api/worker-database");
      try {
        database = await open(settings, uri, served, refusal !== null, requireExpected);
      } catch (error) {
        // Without initial data, the database is there and will have some.
        failures = error instanceof Error && error.name === "DatabaseNotPrepared" ? 0 : failures + 1;
        if (failures >= maxFailures) onAway();
        throw error;
      }
      served = null;
    },
    readRevision: () => opened().readRevision(),
    load: () => opened().load(),
    databaseFacts: () => opened().databaseFacts(),
    writeRefusal: () => Promise.resolve(refusal),
    onRevision: (listener) => onMain("committed", listener),
    cancel: () => cancel(),
    async close() {
      forget();
      await database?.close();
    },
  };
}
