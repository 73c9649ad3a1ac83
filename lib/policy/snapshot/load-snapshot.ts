import type { ClientSession } from "mongoose";
import { requireDatabase } from "@/lib/platform/db/connection/connect";
import { toDatabaseError } from "@/lib/platform/db/connection/errors";
import { runReachable } from "@/lib/platform/db/connection/reachable";
import { readRevision } from "@/lib/platform/db/revision";
import { type AppIndex, findIndex } from "@/lib/policy/snapshot/app-index";
import type { ReportDamage } from "@/lib/policy/snapshot/damage";
import { AppLoader } from "@/lib/policy/snapshot/load-apps";
import { createSharedParts, type SharedPart } from "@/lib/policy/snapshot/shared-parts";
import { shareRecords } from "@/lib/policy/rollout/before";
import type { AppCatalogue, PolicySnapshot, SnapshotRollout } from "@/lib/policy/table/snapshot";
import { createPacer } from "@/lib/platform/process/pacer";

export interface LoadedSnapshot extends PolicySnapshot {
  readonly apps: AppIndex;
}

export interface SnapshotLoader {
  /** Equal revisions return the same object, later ones share unchanged parts. Throws DatabaseUnavailable. */
  load(): Promise<LoadedSnapshot>;
}

/** Later loads read only what was written since. `report` gets omitted documents; equal `known` apps are kept. */
export function createSnapshotLoader(
  options: { readonly report?: ReportDamage; readonly known?: AppCatalogue | null } = {},
): SnapshotLoader {
  const report: ReportDamage = options.report ?? (() => undefined);
  let reader = createReader(report, options.known);
  let newest: LoadedSnapshot | null = null;
  let queue: Promise<unknown> = Promise.resolve();

  async function loadNext(): Promise<LoadedSnapshot> {
    await requireDatabase();
    let found = await reader();
    if (found === "older") {
      // This is another database, e.g. a restored backup, so nothing known is valid.
      reader = createReader(report);
      found = await reader();
    }
    if (typeof found === "object") newest = found;
    if (newest === null) throw new Error("A first reading gives a snapshot");
    return newest;
  }

  return {
    load: () => {
      const turn = queue.then(loadNext);
      queue = turn.catch(() => undefined);
      return turn;
    },
  };
}

/** @returns a function that reads changes, or tells that the revision is the same or older */
function createReader(
  report: ReportDamage,
  known?: AppCatalogue | null,
): () => Promise<LoadedSnapshot | "same" | "older"> {
  const parts = createParts(report, new AppLoader(report, known));
  let lastRevision = -1;

  return async () => {
    const pace = createPacer();
    const { revision, takeOver } = await atOnePointInTime(async (session) => {
      const current = await readRevision(session);
      const taken: (() => void)[] = [];
      if (current <= lastRevision) return { revision: current, takeOver: taken };
      for (const part of parts.all) taken.push(await part.read(session, pace, lastRevision));
      return { revision: current, takeOver: taken };
    });
    if (revision <= lastRevision) return revision === lastRevision ? "same" : "older";
    for (const take of takeOver) take();
    lastRevision = revision;
    return parts.snapshot(revision);
  };
}

/** The state that a transaction sees at `revision`. Reads only apps changed since `known` (of this database). */
export async function readSnapshotIn(
  session: ClientSession,
  revision: number,
  known: PolicySnapshot | null,
): Promise<LoadedSnapshot> {
  const ignore: ReportDamage = () => undefined;
  const start = known !== null && known.revision < revision ? findIndex(known.apps) : null;
  const apps = new AppLoader(ignore, null, start ?? undefined);
  const parts = createParts(ignore, apps);
  const pace = createPacer();
  for (const part of parts.all) {
    const since = part === apps && start !== null && known !== null ? known.revision : -1;
    (await part.read(session, pace, since))();
  }
  return parts.snapshot(revision);
}

/** Reads the apps that a transaction has changed since `known`; everything else stays the same. */
export async function readAppsIn(
  session: ClientSession,
  revision: number,
  known: PolicySnapshot,
): Promise<PolicySnapshot> {
  const start = findIndex(known.apps);
  const apps = new AppLoader(() => undefined, null, start ?? undefined);
  (await apps.read(session, createPacer(), start === null ? -1 : known.revision))();
  return { ...known, revision, apps: apps.index };
}

function createParts(report: ReportDamage, apps: AppLoader) {
  const shared = createSharedParts(report);
  const all: readonly SharedPart[] = [...shared.all, apps];
  let last: SnapshotRollout | null = null;
  const snapshot = (revision: number): LoadedSnapshot => {
    const { rollout, ...contents } = shared.contents();
    const loaded = { revision, ...contents, apps: apps.index };
    const known = last?.number === rollout?.number ? last : rollout;
    // Lists that stay equal stay the same, so that what is compiled from them stays valid.
    last = rollout && known && { ...rollout, records: shareRecords(known.records, loaded) };
    return { ...loaded, rollout: last };
  };
  return { all, snapshot };
}

/** All reads of `work` see the same committed state (rule G7). It may run again if MongoDB requests that. */
export async function atOnePointInTime<T>(work: (session: ClientSession) => Promise<T>): Promise<T> {
  try {
    return await runReachable(work, { readConcern: { level: "snapshot" } });
  } catch (error) {
    throw toDatabaseError(error);
  }
}
