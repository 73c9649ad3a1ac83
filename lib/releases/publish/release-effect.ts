"one per process";

import "server-only";
import { loadSnapshotVersions } from "@/lib/apps/applications/entry-versions";
import type { AppsEffect, ChangedAppAnswer, ChangedAppsAnswer, ReleaseItemJson } from "@/lib/releases/answer-schema";
import { latestPerState } from "@/lib/releases/latest";
import { requireRelease, toReleaseJson } from "@/lib/releases/queries";
import { loadSnapshotAsOf } from "@/lib/releases/publish/as-of";
import { describeApp } from "@/lib/releases/publish/queries";
import { describeTableRisks, listChangedApps } from "@/lib/releases/publish/review";
import type { ReleaseAct } from "@/lib/releases/publish/schema";
import { compareApps } from "@/lib/releases/review/app-comparison";
import { loadState } from "@/lib/releases/review/changes";
import { type TableRisks, findTableRisks } from "@/lib/releases/review/risks";
import { withApps } from "@/lib/releases/review/production";
import { chosenBuilds } from "@/lib/vocabulary/head-units";
import { createPacer } from "@/lib/platform/process/pacer";
import { loadSettings } from "@/lib/platform/settings";
import type { PolicySnapshot } from "@/lib/policy/table/snapshot";

/** What a release did to apps (`releases.md` L7); throws like `findReleaseApps`. */
export async function findReleaseEffect(number: number): Promise<AppsEffect> {
  const { risks, ...states } = await compareProduction(number, "release");
  return describeTableRisks(risks, states);
}

/** 100 apps after the first `from`, worst first; AppError 404 for an unknown release, 503 without a policy. */
export async function findReleaseApps(number: number, act: ReleaseAct, from: number): Promise<ChangedAppsAnswer> {
  const { risks } = await compareProduction(number, act);
  return listChangedApps(risks, from);
}

export async function findReleaseApp(number: number, act: ReleaseAct, uuid: string): Promise<ChangedAppAnswer> {
  return describeApp(await compareProduction(number, act), uuid);
}

interface Comparison {
  readonly before: PolicySnapshot;
  readonly after: PolicySnapshot;
  readonly risks: TableRisks;
}

const latest = latestPerState<Comparison>();

async function compareProduction(number: number, act: ReleaseAct): Promise<Comparison> {
  const today = await loadState();
  return latest(today, `${act} ${number}`, () => compareStates(number, act, today));
}

async function compareStates(number: number, act: ReleaseAct, today: PolicySnapshot): Promise<Comparison> {
  const { items } = toReleaseJson(await requireRelease(number));
  const [before, after] =
    act === "return" ? [today, await loadSnapshotAsOf(number, today)] : await loadStates(number, items, today);
  const { changed } = await compareApps(before, after, createPacer());
  const builds = chosenBuilds(loadSettings());
  return { before, after, risks: await findTableRisks(before, after, { apps: changed, builds }, createPacer()) };
}

/** Production before and after a release. Has today's apps; those that it published, in their versions of that time. */
async function loadStates(number: number, items: readonly ReleaseItemJson[], today: PolicySnapshot) {
  const published = items.filter(({ family }) => family === "app");
  const versions = await loadSnapshotVersions(
    published.flatMap(({ before_id: before, after_id: after }) => [before ?? [], after ?? []].flat()),
  );
  const stateAsOf = async (
    release: number,
    idOf: (item: ReleaseItemJson) => number | null,
  ): Promise<PolicySnapshot> => {
    const then = await loadSnapshotAsOf(release, today);
    const apps = published.flatMap((item) => {
      const app = today.apps.byUuid(item.key.toLowerCase());
      return app === undefined ? [] : { ...app, accepted: versions.get(idOf(item) ?? 0) ?? null };
    });
    return { ...then, apps: withApps(today.apps, apps) };
  };
  const before = await stateAsOf(number - 1, ({ before_id: id }) => id);
  return [before, await stateAsOf(number, ({ after_id: id }) => id)] as const;
}
