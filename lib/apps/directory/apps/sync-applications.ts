import "server-only";
import type { WriteContext } from "@/lib/platform/db/transaction";
import {
  loadQueueState,
  queueApplication,
  queueMalformed,
  removeUntouched,
  retryDelays,
  type QueueState,
} from "@/lib/apps/directory/queue/application-queue";
import type { DirectoryClient } from "@/lib/apps/directory/client/client";
import type { Outcome } from "@/lib/apps/directory/client/outcome";
import { processApplications, type ProcessOptions } from "@/lib/apps/directory/apps/process-applications";
import { DirectoryReading, countMissedRemovals } from "@/lib/apps/directory/client/reading";
import { retryDelay } from "@/lib/jobs/queue";
import type { TaskReport } from "@/lib/platform/process/task-report";
import { malformedLine } from "@/lib/apps/directory/apps/work-off-batch";
import { createRefusalReader } from "@/lib/policy/checks/approval-check";
import { log } from "@/lib/platform/log";

export interface SyncOptions extends Pick<ProcessOptions, "settings" | "handleBundle"> {
  /** In milliseconds, after the first, second, … failure. */
  readonly delays?: readonly number[];
}

type SyncResult = {
  readonly read: number;
  readonly stored: number;
  /** Removed or blacklisted, as told by the app directory. */
  readonly deleted: number;
  readonly blacklisted: number;
  /** Unusable records; those with a uuid are read again later. */
  readonly malformed: number;
};

/** Records stored in one transaction: several pages, because each transaction causes a new policy table. */
const perTransaction = 250;
/** Limits repetitions while apps keep being deleted; the next synchronization finds the rest. */
const maxPasses = 3;

/** `directory.md` 4.1 and section 5, without mails. After DirectoryFailed, the next run does the rest. */
export async function syncApplications(
  context: WriteContext,
  client: Pick<DirectoryClient, "applicationPages">,
  report: TaskReport,
  options: SyncOptions,
): Promise<SyncResult> {
  const total = { read: 0, stored: 0, deleted: 0, blacklisted: 0, malformed: 0 };
  for (let pass = 1; pass <= maxPasses; pass++) {
    const missed = await countMissedRemovals();
    const { read, stored, deleted, blacklisted, malformed } = await runPass(context, client, report, options);
    total.read = read;
    total.malformed = malformed;
    total.stored += stored;
    total.deleted += deleted;
    total.blacklisted += blacklisted;
    // Apps were deleted that this pass may have stored a moment later.
    if (missed === (await countMissedRemovals())) break;
  }
  return total;
}

async function runPass(
  context: WriteContext,
  client: Pick<DirectoryClient, "applicationPages">,
  report: TaskReport,
  options: SyncOptions,
): Promise<SyncResult> {
  const { settings, handleBundle } = options;
  // Passes no `mail`: a synchronization sends none.
  const processing = {
    ...{ settings, handleBundle, reading: await DirectoryReading.begin() },
    readRefusals: createRefusalReader(),
  };
  const waiting = await loadQueueState();
  const counts = { read: 0, stored: 0, deleted: 0, blacklisted: 0, malformed: 0 };
  let gathered: unknown[] = [];
  const store = async () => {
    const records = gathered;
    gathered = [];
    const outcomes = await processApplications(context, records, processing);
    await settleQueue(outcomes, waiting, options.delays ?? retryDelays);
    counts.read += records.length;
    for (const outcome of outcomes) count(outcome, counts);
    report.progress(counts.read, null);
  };
  report.phase("reading apps");
  report.progress(0, null);
  try {
    for await (const page of client.applicationPages()) {
      gathered.push(...page);
      if (gathered.length >= perTransaction) await store();
    }
  } finally {
    // Records read before a failure are stored too.
    if (gathered.length > 0) await store();
  }
  return counts;
}

function count(outcome: Outcome, counts: { -readonly [member in keyof SyncResult]: number }): void {
  if (outcome.kind === "stored" || outcome.kind === "malformed") counts[outcome.kind]++;
  else if ("isChanged" in outcome && outcome.isChanged) counts[outcome.kind]++;
}

async function settleQueue(
  outcomes: readonly Outcome[],
  waiting: QueueState,
  delays: readonly number[],
): Promise<void> {
  const malformed = new Map<string, string>();
  const settled = new Set<string>();
  for (const outcome of outcomes) {
    if (outcome.kind === "overtaken") await queueApplication(outcome.uuid);
    else if (outcome.kind !== "malformed") settled.add(outcome.uuid);
    else if (outcome.uuid !== null) malformed.set(outcome.uuid, outcome.reason);
    else log.warn({ reason: outcome.reason }, "a record of the app directory is malformed and names no app");
  }
  await removeUntouched(
    waiting,
    [...settled].filter((uuid) => !malformed.has(uuid)),
  );
  const delay = retryDelay(1, delays);
  const reasons = Array.from(malformed, ([uuid, reason]) => ({ uuid, reason }));
  const fresh = await queueMalformed(reasons, new Date(Date.now() + delay));
  for (const { uuid, reason } of reasons) {
    if (fresh.has(uuid)) log.warn({ uuid, reason, minutes: delay / 60_000 }, malformedLine);
  }
}
