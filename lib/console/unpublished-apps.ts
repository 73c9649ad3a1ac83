import "server-only";
import { findLiveVersions, type VersionOutline } from "@/lib/apps/applications/versions";
import { ApplicationFlagsModel } from "@/models/application-flags";
import { ApplicationModel } from "@/models/application";

type Granted = Pick<VersionOutline, "id" | "approvalStatus">;

/**
 * Counts the apps whose newest granted version is in staging only, as the review of changes lists them (`releases.md`
 * L5); blocked ones get nothing in either environment. Of the others only an index is read.
 */
export async function countUnpublishedApps(): Promise<number> {
  const staged = await ApplicationModel.distinct("uuidKey", { approvalStatus: "STAGING" });
  if (staged.length === 0) return 0;
  const [versions, flags] = await Promise.all([
    ApplicationModel.find(
      { uuidKey: { $in: staged }, approvalStatus: { $in: ["STAGING", "ACCEPTED"] } },
      { uuidKey: 1, uuid: 1, approvalStatus: 1 },
    ).lean(),
    ApplicationFlagsModel.find({ isBlacklisted: true }, { _id: 0, uuid: 1 }).lean(),
  ]);
  const blocked = new Set(flags.map(({ uuid }) => uuid.toLowerCase()));
  const byApp = new Map<string, Granted[]>();
  for (const { _id: id, uuidKey, approvalStatus } of versions) {
    const granted = byApp.get(uuidKey) ?? [];
    granted.push({ id, approvalStatus });
    byApp.set(uuidKey, granted);
  }
  return [...byApp].filter(([key, granted]) => {
    const { staging, production } = findLiveVersions(granted, blocked.has(key));
    return staging?.id !== production?.id;
  }).length;
}
