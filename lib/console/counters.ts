import "server-only";
import type { CountersAnswer } from "@/lib/console/answer-schema";
import { requireDatabase } from "@/lib/platform/db/connection/connect";
import { countOf, listUncovered } from "@/lib/content/groups/coverage";
import { listTasks } from "@/lib/apps/directory/queries";
import { countUnreadableApps } from "@/lib/apps/directory/queue/queue-queries";
import { listTaskNames } from "@/lib/apps/directory/tasks/task-names";
import { loadSettings } from "@/lib/platform/settings";
import { oncePerRevision, usualKeepMs } from "@/lib/platform/db/once-per-revision";
import { readRevision } from "@/lib/platform/db/revision";
import { findRefusedTables, whenFollowed } from "@/lib/policy/status";
import { countUnpromoted } from "@/lib/content/records/queries";
import { ApplicationFlagsModel } from "@/models/application-flags";
import { ApplicationModel } from "@/models/application";
import { findLiveVersions, type VersionOutline } from "@/lib/apps/applications/versions";

type DirectoryCounters = Pick<CountersAnswer, "unreadable_applications" | "failed_tasks">;
type RecordCounters = Omit<CountersAnswer, "pending_applications" | "refused_tables" | keyof DirectoryCounters>;

const kept = oncePerRevision("console-counters", countRecords, usualKeepMs);

/**
 * Counts what waits for somebody in each section. Consoles ask every minute, so what depends on records is counted once
 * per revision; pending apps and directory trouble are counted each time.
 */
export async function loadCounters(now = Date.now()): Promise<CountersAnswer> {
  await requireDatabase();
  const revision = await readRevision();
  const [pending, directory, rest] = await Promise.all([
    countPending(),
    countDirectoryProblems(),
    kept.get(revision, now),
  ]);
  await whenFollowed();
  return { pending_applications: pending, ...rest, refused_tables: findRefusedTables(), ...directory };
}

/** What keeps this server from being in step with the app directory. */
export async function countDirectoryProblems(): Promise<DirectoryCounters> {
  const [unreadable, tasks] = await Promise.all([countUnreadableApps(), listTasks(listTaskNames(loadSettings()))]);
  return {
    unreadable_applications: unreadable,
    failed_tasks: tasks.filter(({ state }) => state === "failed").length,
  };
}

async function countRecords(): Promise<RecordCounters> {
  const [groups, messages, vehicleData, moduleConfigs, apps, unmapped] = await Promise.all([
    countUnpromoted("groups"),
    countUnpromoted("messages"),
    countUnpromoted("vehicleData"),
    countUnpromoted("moduleConfigs"),
    countUnpublishedApps(),
    countUnmapped(),
  ]);
  return {
    modified_groups: groups,
    ...unmapped,
    modified_messages: messages,
    modified_vehicle_data: vehicleData,
    is_module_config_modified: moduleConfigs > 0,
    unpublished_changes: groups + messages + vehicleData + moduleConfigs + apps,
  };
}

async function countUnmapped(): Promise<Pick<CountersAnswer, "unmapped_rpcs" | "unmapped_parameters">> {
  const unmapped = (await listUncovered()).filter(({ isMapped }) => !isMapped.production);
  return { unmapped_rpcs: countOf(unmapped, "RPC"), unmapped_parameters: countOf(unmapped, "PARAMETER") };
}

/** As `GET applications?approval_status=PENDING` lists them: the latest versions of apps that are not blocked. */
async function countPending(): Promise<number> {
  const blocked = await ApplicationFlagsModel.find({ isBlacklisted: true }, { _id: 0, uuid: 1 }).lean();
  return ApplicationModel.countDocuments({
    isLatest: true,
    approvalStatus: "PENDING",
    uuid: { $nin: blocked.map(({ uuid }) => uuid) },
  });
}

type Granted = Pick<VersionOutline, "id" | "approvalStatus">;

/**
 * Counts apps whose latest granted version is only in staging, as the review lists them (`releases.md` L5). Blocked
 * apps get nothing in either environment. Reads an index only, but for blocked ones.
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
