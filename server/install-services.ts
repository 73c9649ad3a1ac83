import { answerVehicle } from "@/lib/policy/answer/answer-vehicle";
import type { CryptoHooks } from "@/lib/policy/answer/crypto-hooks";
import type { PolicySource } from "@/lib/policy/policy-source";
import { type Services, shareServices } from "@/lib/policy/services";
import { listFindings } from "@/lib/policy/status";
import { collectGarbage } from "@/lib/platform/process/collect-garbage";
import type { ConsoleFleet } from "@/server/fleet/console-fleet";
import { createMetrics, type Metrics } from "@/server/metrics";
import { createVehicleLog } from "@/lib/vehicle-api/vehicle-log";
import "@/lib/releases/gate";
import { hasMain, onMain, saidByMain, sendToMain } from "@/lib/platform/process/channel";
import { requestFigures } from "@/lib/platform/process/figures-channel";
import { noteCommitted } from "@/lib/platform/process/served";
import type { Settings } from "@/lib/platform/settings";
import { ModuleContainers } from "@/lib/certificates/module/module-containers";
import { packOnce } from "@/lib/certificates/module/pack-containers";
import { noteUnexpectedDatabase } from "@/lib/platform/db/connection/unexpected-database";
import { onRevision } from "@/lib/platform/db/revision";
import { log } from "@/lib/platform/log";
import { Inspection } from "@/lib/policy/checks/inspection";
import { buildPolicyOptions } from "@/lib/policy/policy-options";
import { PolicyRuntime } from "@/lib/policy/runtime";
import type { RuntimeOptions } from "@/lib/policy/runtime-options";

export function installServices(options: {
  readonly settings: Settings;
  readonly source: PolicySource;
  readonly hooks: CryptoHooks;
  /** What counts requests of vehicles; null: nothing does. */
  readonly fleet?: ConsoleFleet | null;
  readonly onRefusal?: (error: Error) => void;
  readonly afterFirstLoad?: () => void;
}): Services & { readonly metrics: Metrics } {
  const { settings, fleet = null } = options;
  const runtime: PolicyRuntime = createConsolePolicy({
    settings,
    source: options.source,
    onRefusal: options.onRefusal ?? (() => undefined),
    afterFirstLoad: () => {
      collectGarbage();
      options.afterFirstLoad?.();
    },
    onServing: () => {
      const policy = runtime.policy("production");
      if (policy !== null) fleet?.noteServed(policy);
    },
  });
  const name = hasMain() ? "console" : "server";
  const metrics = createMetrics(() => runtime.status(), listFindings, {
    name,
    sampler: fleet?.sampler ?? null,
    adoption: fleet?.adoption ?? null,
    savedAt: () => runtime.savedAt,
    ...(hasMain() && { others: (names?: readonly string[]) => requestFigures(names) }),
  });
  const logVehicle = createVehicleLog(settings);
  const services: Services & { readonly metrics: Metrics } = {
    runtime,
    metrics,
    answerVehicle: async (environment, body, contentType) => {
      const policy = runtime.policy(environment);
      const rollout = environment === "production" ? runtime.rollout : null;
      const { hooks } = options;
      const request = { environment, body, contentType, acceptsGzip: false, policy, hooks, rollout };
      const answer = await answerVehicle(request);
      fleet?.sampler.offer(environment, body, policy, answer);
      return answer;
    },
    observeVehicle: (event) => {
      metrics.observeVehicle(event);
      logVehicle(event);
      fleet?.sampler.observe(event);
    },
  };
  shareServices(services);
  return services;
}

type Options = Pick<RuntimeOptions, "onRefusal" | "afterFirstLoad" | "onServing"> & {
  readonly settings: Settings;
  readonly source: PolicySource;
};

/** The console's policy runtime (`processes.md` N2, N5), the only one that saves snapshots and packs certificates. */
export function createConsolePolicy({ settings, source, ...options }: Options): PolicyRuntime {
  const containers = new ModuleContainers();
  // Containers that a previous console packed but could not save.
  onMain("containers", (message) => containers.addAll(message.containers));
  const pack = packOnce(containers, (known) => {
    sendToMain({ kind: "containers", containers: known });
    runtime.keepAgain();
  });
  const runtime: PolicyRuntime = new PolicyRuntime({
    ...options,
    source: tellingSource(source, containers),
    database: settings.usesEmbeddedDatabase ? "embedded" : "mongodb",
    policyOptions: (snapshot) => buildPolicyOptions(snapshot, settings, pack),
    inspection: new Inspection(log),
    latch: { givenUp: settings.acceptEmptyDatabase, onChange: noteUnexpectedDatabase },
    lastServed: () => saidByMain("confirmed")?.origin ?? null,
    log,
  });
  return runtime;
}

function tellingSource(source: PolicySource, containers: ModuleContainers): PolicySource {
  let told: number | null = null;
  let toldRefusal: string | null | undefined;
  const tellRevision = (revision: number) => {
    if (revision !== told) {
      noteCommitted(revision);
      sendToMain({ kind: "committed", revision });
    }
    told = revision;
  };
  return {
    open: (requireExpected) => source.open(requireExpected),
    load: () => source.load(),
    databaseFacts: () => source.databaseFacts(),
    savedOrigin: () => source.savedOrigin(),
    confirm: (at) => source.confirm?.(at) ?? Promise.resolve(),
    async readRevision() {
      const revision = await source.readRevision();
      tellRevision(revision);
      return revision;
    },
    async writeRefusal() {
      const refusal = await source.writeRefusal();
      if (refusal !== toldRefusal) sendToMain({ kind: "writes", refusal });
      toldRefusal = refusal;
      return refusal;
    },
    onRevision(listener) {
      const forget = [source.onRevision(listener), onRevision(tellRevision)];
      return () => forget.forEach((end) => end());
    },
    async loadSaved() {
      const saved = await source.loadSaved();
      containers.addAll(saved?.containers ?? {});
      return saved;
    },
    async save(snapshot, origin) {
      await source.save?.(snapshot, origin, containers.toRecord());
    },
  };
}
