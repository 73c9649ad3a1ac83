import "server-only";
import type { ReleaseEffectJson, ReleaseItemJson } from "@/lib/content/releases/answer-schema";
import { loadSnapshotAsOf } from "@/lib/gate/publish/as-of";
import { describeDangers } from "@/lib/gate/publish/review";
import { compareApps } from "@/lib/gate/review/app-comparison";
import { loadState } from "@/lib/gate/review/changes";
import { findDangers } from "@/lib/gate/review/dangers";
import { withApps } from "@/lib/gate/review/production";
import { chosenBuilds } from "@/lib/labels/head-units";
import { createPacer } from "@/lib/platform/process/pacer";
import { loadSettings } from "@/lib/platform/settings";
import { readAppVersion } from "@/lib/policy/documents/documents";
import { Interner } from "@/lib/policy/documents/interner";
import type { PolicySnapshot, SnapshotAppVersion } from "@/lib/policy/table/snapshot";
import { ApplicationModel } from "@/models/application";

/**
 * Describes what a release did to apps (`releases.md` L7). Uses today's apps, but those that the release published in their
 * versions before and after it.
 *
 * @param items the release's items
 */
export async function findReleaseEffect(
  number: number,
  items: readonly ReleaseItemJson[],
): Promise<Omit<ReleaseEffectJson, "bytes">> {
  const today = await loadState();
  const published = items.filter(({ family }) => family === "app");
  const versions = await loadVersions(
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
  const after = await stateAsOf(number, ({ after_id: id }) => id);
  const { changed } = await compareApps(before, after, createPacer());
  const builds = chosenBuilds(loadSettings());
  return describeDangers(await findDangers(before, after, { apps: changed, builds }, createPacer()));
}

async function loadVersions(ids: readonly number[]): Promise<Map<number, SnapshotAppVersion>> {
  if (ids.length === 0) return new Map();
  const interner = new Interner();
  const documents = await ApplicationModel.find({ _id: { $in: ids } }).lean();
  return new Map(
    documents.flatMap((document) => {
      const version = readAppVersion(document, interner);
      return version === null ? [] : [[document._id, version] as const];
    }),
  );
}
