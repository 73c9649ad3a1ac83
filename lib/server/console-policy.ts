import { ModuleContainers } from "@/lib/certificates/module/module-containers";
import { packOnce } from "@/lib/certificates/module/pack-containers";
import { noteUnexpectedDatabase } from "@/lib/platform/db/connection/unexpected-database";
import { onRevision } from "@/lib/platform/db/revision";
import { log } from "@/lib/platform/log";
import { Inspection } from "@/lib/policy/checks/inspection";
import { buildPolicyOptions } from "@/lib/policy/policy-options";
import type { PolicySource } from "@/lib/policy/policy-source";
import { PolicyRuntime } from "@/lib/policy/runtime";
import type { RuntimeOptions } from "@/lib/policy/runtime-options";
import { onMain, tellMain } from "@/lib/platform/process/channel";
import type { Settings } from "@/lib/platform/settings";

type Options = Pick<RuntimeOptions, "onRefusal" | "afterFirstLoad" | "onServing"> & {
  readonly settings: Settings;
  readonly source: PolicySource;
};

/**
 * Makes the console's policy runtime: for preview, findings, simulator, and the workers (`processes.md` N2, N5). It
 * alone keeps the snapshot on disk and packs module certificates, and tells `main` of revisions, containers and refused
 * writes.
 */
export function createConsolePolicy({ settings, source, ...options }: Options): PolicyRuntime {
  const containers = new ModuleContainers();
  // What a console before this one has packed and could not keep on disk any more.
  onMain("containers", (message) => containers.addAll(message.containers));
  const pack = packOnce(containers, (known) => {
    tellMain({ kind: "containers", containers: known });
    runtime.keepAgain();
  });
  const runtime: PolicyRuntime = new PolicyRuntime({
    ...options,
    source: tellingSource(source, containers),
    database: settings.usesEmbeddedDatabase ? "embedded" : "mongodb",
    policyOptions: (snapshot) => buildPolicyOptions(snapshot, settings, pack),
    inspection: new Inspection(log),
    latch: { givenUp: settings.acceptEmptyDatabase, onChange: noteUnexpectedDatabase },
    log,
  });
  return runtime;
}

/** The same source, which tells `main` what vehicle workers must know. */
function tellingSource(source: PolicySource, containers: ModuleContainers): PolicySource {
  let told: number | null = null;
  let toldRefusal: string | null | undefined;
  const tellRevision = (revision: number) => {
    if (revision !== told) tellMain({ kind: "committed", revision });
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
      // Another instance's commits as well.
      tellRevision(revision);
      return revision;
    },
    async writeRefusal() {
      const refusal = await source.writeRefusal();
      if (refusal !== toldRefusal) tellMain({ kind: "writes", refusal });
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
