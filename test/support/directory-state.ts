import type { ExampleDirectory } from "@/example-directory/directory";
import { ApplicationFlagsModel } from "@/models/application-flags";
import { ApplicationModel } from "@/models/application";

interface AppState {
  readonly versionId: number | null;
  readonly name: string;
}

export async function storedApps(): Promise<Record<string, AppState>> {
  const latest = await ApplicationModel.find({ isLatest: true }).sort({ uuid: 1 }).lean();
  return Object.fromEntries(latest.map(({ uuid, versionId = null, name }) => [uuid, { versionId, name }]));
}

/** The apps that should be stored: neither deleted nor blacklisted. */
export function expectedApps({ apps }: Pick<ExampleDirectory, "apps">): Record<string, AppState> {
  const present = [...apps.all()].filter(
    ({ deleted_ts, blacklisted_ts }) => deleted_ts === null && blacklisted_ts === null,
  );
  const states = present.map(
    ({ uuid, version_id, name }) => [uuid, { versionId: version_id, name: String(name) }] as const,
  );
  return Object.fromEntries(states.toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

export async function blacklistedUuids(): Promise<string[]> {
  return (await ApplicationFlagsModel.find({ isBlacklisted: true }).sort({ uuid: 1 }).lean()).map(({ uuid }) => uuid);
}
