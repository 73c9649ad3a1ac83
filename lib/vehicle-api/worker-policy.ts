import { containerKey, ContainerAwaited, ModuleContainers } from "@/lib/certificates/module/module-containers";
import { createVehicleWorkerSource } from "@/lib/vehicle-api/worker-source";
import { log } from "@/lib/platform/log";
import { buildPolicyOptions } from "@/lib/policy/policy-options";
import { PolicyRuntime } from "@/lib/policy/runtime";
import { onMain, tellMain } from "@/lib/platform/process/channel";
import { boundHeapGrowth, collectGarbage } from "@/lib/platform/process/collect-garbage";
import type { Settings } from "@/lib/platform/settings";
import { Bell, pause } from "@/lib/platform/async";

/** Longer than first data take on a machine that has far too much to do, in milliseconds. */
const firstDataMs = 120_000;

/**
 * Makes a worker's policy runtime (`processes.md` N2), which tells `main` of every revision in service (N5). Containers
 * of module certificates come from the console, so that all workers answer with the same bytes (rule G6); until the
 * container of a new revision is known, the policies in service stay.
 * @param address connection string of the database, once it is known
 */
export function createVehicleWorkerPolicy(settings: Settings, address: Promise<string>) {
  const containers = new ModuleContainers();
  const answerable = new Bell();
  const { next: isAnswerable } = answerable;
  const source = createVehicleWorkerSource(settings, address, containers, () => answerable.ring());
  let given = new Map<string, string | null | undefined>();
  const runtime = new PolicyRuntime({
    source,
    database: settings.usesEmbeddedDatabase ? "embedded" : "mongodb",
    policyOptions: (snapshot) => {
      given = new Map();
      return buildPolicyOptions(snapshot, settings, (pair) => {
        const key = containerKey(pair);
        const container = containers.get(key);
        given.set(key, container);
        return container === undefined ? Promise.reject(new ContainerAwaited()) : Promise.resolve(container);
      });
    },
    latch: { givenUp: settings.acceptEmptyDatabase },
    // Reading all apps of a database leaves garbage of several times their size.
    afterFirstLoad: collectGarbage,
    onServing: (revision) => {
      // From now on only: while the first snapshot is read it would cost a start a sixth of its time.
      boundHeapGrowth();
      answerable.ring();
      tellMain({ kind: "serving", revision });
    },
    log,
  });
  const forget = onMain("containers", (message) => {
    containers.addAll(message.containers);
    if ([...given].some(([key, container]) => containers.get(key) !== container)) runtime.reconsider();
  });
  return {
    runtime,
    /**
     * Waits until vehicles can be answered, or nobody knows when: the database is away or takes no writes, or has no
     * first data after two minutes. Opening a port earlier refuses vehicles that a proxy would send elsewhere (N2).
     */
    answerable: () => pause(firstDataMs, [isAnswerable]),
    async stop() {
      forget();
      source.cancel();
      await runtime.stop();
      await source.close();
    },
  };
}
