import { containerKey, ContainerAwaited, ModuleContainers } from "@/lib/certificates/module/module-containers";
import { createVehicleWorkerSource } from "@/lib/vehicle-api/worker-source";
import { log } from "@/lib/platform/log";
import { buildPolicyOptions } from "@/lib/policy/policy-options";
import { PolicyRuntime } from "@/lib/policy/runtime";
import { onMain, saidByMain, sendToMain } from "@/lib/platform/process/channel";
import { boundHeapGrowth, collectGarbage } from "@/lib/platform/process/collect-garbage";
import type { Settings } from "@/lib/platform/settings";
import { Signal, pause } from "@/lib/platform/async";

/** Longer than initial data takes on an overloaded machine, in milliseconds. */
const firstDataMs = 120_000;

/**
 * A worker's policy runtime (`processes.md` N2). Containers of module certificates come from the console, so that all
 * workers send the same bytes. Until those of a new revision arrive, the current policies stay.
 */
export function createVehicleWorkerPolicy(settings: Settings, address: Promise<string>) {
  const containers = new ModuleContainers();
  const answerable = new Signal();
  const { next: isAnswerable } = answerable;
  const source = createVehicleWorkerSource(settings, address, containers, () => answerable.give());
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
    // Reading all apps leaves garbage of several times their size.
    afterFirstLoad: collectGarbage,
    onServing: (revision) => {
      // Not before: while the first snapshot is read, it would make the start a sixth slower.
      boundHeapGrowth();
      answerable.give();
      sendToMain({ kind: "serving", revision });
    },
    onConfirmed: (origin) => sendToMain({ kind: "confirmed", origin }),
    lastServed: () => saidByMain("confirmed")?.origin ?? null,
    log,
  });
  const forget = onMain("containers", (message) => {
    containers.addAll(message.containers);
    if ([...given].some(([key, container]) => containers.get(key) !== container)) runtime.reconsider();
  });
  return {
    runtime,
    /** Resolves when vehicles can get answers, or that may take forever: until then, proxies use other instances. */
    answerable: () => pause(firstDataMs, [isAnswerable]),
    async stop() {
      forget();
      source.cancel();
      await runtime.stop();
      await source.close();
    },
  };
}
