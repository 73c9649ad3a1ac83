"one per process";

import "server-only";
import type { CountersAnswer } from "@/app/_console/answer-schema";
import { requireDatabase } from "@/lib/platform/db/connection/connect";
import { countOf, listUncovered } from "@/lib/records/groups/coverage";
import { listTasks } from "@/lib/apps/directory/queries";
import { applicationQueue } from "@/lib/apps/directory/queue/application-queue";
import { listTaskNames } from "@/lib/jobs/task-names";
import { countApprovable } from "@/lib/releases/approvals/queries";
import { listStagedChanges, loadState } from "@/lib/releases/review/changes";
import type { ItemFamily } from "@/lib/vocabulary/release-items";
import { describeReader, type Principal } from "@/lib/platform/auth/principal";
import { loadSettings } from "@/lib/platform/settings";
import { oncePerRevision, usualKeepMs } from "@/lib/platform/db/once-per-revision";
import { findRefusedTables } from "@/lib/policy/status";
import { ApplicationFlagsModel } from "@/models/application-flags";
import { ApplicationModel } from "@/models/application";

type DirectoryCounters = Pick<CountersAnswer, "unreadable_applications" | "failed_tasks">;
type RecordCounters = Omit<
  CountersAnswer,
  "pending_applications" | "waiting_approvals" | "refused_tables" | "reader" | keyof DirectoryCounters
>;

const kept = oncePerRevision(countRecords, usualKeepMs);

/** Counts that depend on records are cached per revision. */
export async function loadCounters(reader: Principal | null, now = Date.now()): Promise<CountersAnswer> {
  await requireDatabase();
  // Of the state itself: under a newer revision, an older count would stay.
  const { revision } = await loadState();
  const [pending, approvals, directory, rest] = await Promise.all([
    countPending(),
    countApprovable(reader),
    countDirectoryProblems(),
    kept.get(revision, now),
  ]);
  const waiting = { pending_applications: pending, waiting_approvals: approvals };
  const who = { reader: reader && describeReader(reader) };
  return { ...waiting, ...rest, refused_tables: findRefusedTables(), ...directory, ...who };
}

export async function countDirectoryProblems(): Promise<DirectoryCounters> {
  const [unreadable, tasks] = await Promise.all([
    applicationQueue.countFailing(),
    listTasks(listTaskNames(loadSettings())),
  ]);
  return {
    unreadable_applications: unreadable,
    failed_tasks: tasks.filter(({ state }) => state === "failed").length,
  };
}

async function countRecords(): Promise<RecordCounters> {
  const [state, unmapped] = await Promise.all([loadState(), countUnmapped()]);
  const changes = listStagedChanges(state);
  const count = (family: ItemFamily) => changes.filter((change) => change.family === family).length;
  return {
    modified_groups: count("group"),
    ...unmapped,
    modified_messages: count("message"),
    modified_vehicle_data: count("vehicle_data"),
    is_module_config_modified: count("module_config") > 0,
    unpublished_changes: changes.length,
  };
}

async function countUnmapped(): Promise<Pick<CountersAnswer, "unmapped_rpcs" | "unmapped_parameters">> {
  const unmapped = (await listUncovered()).filter(({ isMapped }) => !isMapped.production);
  return { unmapped_rpcs: countOf(unmapped, "RPC"), unmapped_parameters: countOf(unmapped, "PARAMETER") };
}

/** Like `GET applications?approval_status=PENDING`: the latest versions of apps that are not blocked. */
async function countPending(): Promise<number> {
  const blocked = await ApplicationFlagsModel.find({ isBlacklisted: true }, { _id: 0, uuid: 1 }).lean();
  return ApplicationModel.countDocuments({
    isLatest: true,
    approvalStatus: "PENDING",
    uuid: { $nin: blocked.map(({ uuid }) => uuid) },
  });
}
