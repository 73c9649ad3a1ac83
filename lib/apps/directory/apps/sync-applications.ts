import "server-only";
import type { WriteContext } from "@/lib/platform/db/transaction";
import {
  loadQueueState,
  queueApplication,
  queueMalformed,
  removeUntouched,
  type QueueState,
} from "@/lib/apps/directory/queue/application-queue";
import type { DirectoryClient } from "@/lib/apps/directory/client/client";
import type { Outcome } from "@/lib/apps/directory/client/outcome";
import { processApplications, type ProcessOptions } from "@/lib/apps/directory/apps/process-applications";
import { Reading, countMissedRemovals } from "@/lib/apps/directory/client/reading";
import { retryDelay, retryDelays } from "@/lib/apps/directory/queue/due-times";
import type { TaskReport } from "@/lib/platform/process/task-report";
import { malformedLine } from "@/lib/apps/directory/apps/work-off-batch";
import { log } from "@/lib/platform/log";

export interface SyncOptions extends Pick<ProcessOptions, "settings" | "handleBundle"> {
  /** Milliseconds after the first, second, … failure (rule Q2). */
  readonly delays?: readonly number[];
}

/** What a synchronisation did. */
type SyncResult = {
  /** Records read. */
  readonly read: number;
  /** New versions. */
  readonly stored: number;
  /** Apps that were removed, or blacklisted, because the directory says so now. */
  readonly deleted: number;
  readonly blacklisted: number;
  /** Records that cannot be used; those with a uuid are read again later. */
  readonly malformed: number;
};

/** Records stored in one transaction: several pages, since each transaction has a policy table built anew. */
const perTransaction = 250;
/** Ends the repeats when apps are deleted all the time; the next synchronisation finds what is left. */
const maxPasses = 3;

/**
 * Brings all apps in step with the directory (`directory.md` 4.1, section 5), without e-mails. What was stored stays
 * stored when it fails half-way, and the next run does the rest.
 *
 * @throws DirectoryFailed, DirectoryRefused, DatabaseUnavailable
 */
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
  // Nothing else is handed on: no mail is sent about what a synchronisation finds.
  const processing = { settings, handleBundle, reading: await Reading.begin() };
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
    // What came before a failure counts as well.
    if (gathered.length > 0) await store();
  }
  return counts;
}

function count(outcome: Outcome, counts: { -readonly [member in keyof SyncResult]: number }): void {
  if (outcome.kind === "stored" || outcome.kind === "malformed") counts[outcome.kind]++;
  else if ("isChanged" in outcome && outcome.isChanged) counts[outcome.kind]++;
}

/** Brings the queue of apps that are to be read again in step with what became of the records. */
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
