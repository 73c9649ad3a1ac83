import "server-only";
import type { WriteContext } from "@/lib/platform/db/transaction";
import {
  findOwned,
  finishJobs,
  postponeJobs,
  type ClaimedBatch,
  type ClaimedJob,
  type Postponement,
} from "@/lib/apps/directory/queue/application-queue";
import type { DirectoryClient } from "@/lib/apps/directory/client/client";
import { isDirectoryFailed, isDirectoryRefused } from "@/lib/apps/directory/client/errors";
import type { Outcome } from "@/lib/apps/directory/client/outcome";
import { processApplications, type ProcessOptions } from "@/lib/apps/directory/apps/process-applications";
import { DirectoryReading, noteMissedRemoval } from "@/lib/apps/directory/client/reading";
import { loadSpellings } from "@/lib/apps/directory/apps/stored-apps";
import { retryDelay } from "@/lib/apps/directory/queue/due-times";
import { log } from "@/lib/platform/log";
import { memberOf } from "@/lib/policy/head-unit/values";

export interface BatchOptions extends Pick<ProcessOptions, "settings" | "handleBundle" | "mail"> {
  /** In milliseconds, after the first, second, … failure. */
  readonly delays: readonly number[];
}

export interface BatchResult {
  /** Apps whose data from the app directory is completely stored. */
  readonly applied: readonly string[];
  /** Due again at once, because the apps changed in the meantime. */
  readonly again: readonly string[];
  readonly stored: readonly Extract<Outcome, { kind: "stored" }>[];
}

export const malformedLine = "the record of an app is malformed; it is read again later";
const nothing: BatchResult = { applied: [], again: [], stored: [] };

/** Rule Q3. Removes or postpones elements, unless notified again. Throws DatabaseUnavailable. */
export async function workOffBatch(
  context: WriteContext,
  client: Pick<DirectoryClient, "applications">,
  batch: ClaimedBatch,
  options: BatchOptions,
): Promise<BatchResult> {
  const reading = await DirectoryReading.begin();
  const { claim, jobs } = batch;
  const wanted = new Set(jobs.map(({ uuid }) => keyOf(uuid)));
  const spellings = await loadSpellings(wanted);
  let records: readonly unknown[];
  try {
    // Both spellings if they differ: the app directory may know only one, which does not mean that the app is gone.
    records = await client.applications([...new Set(jobs.flatMap(({ uuid }) => [uuid, spellings.of(uuid)]))]);
  } catch (error) {
    if (isOneOfMany(error, jobs)) return workOffAlone(context, client, batch, options);
    await postponeAll(batch, error, options.delays);
    return nothing;
  }
  // Ignore records that were not requested, such as those without a uuid.
  const own = records.filter((record) => wanted.has(keyOf(uuidOf(record))));
  own.push(...findGone(jobs, own));
  const keepOwned: ProcessOptions["keepOwned"] = async (tx, some) => {
    const owned = await findOwned(tx, claim, jobs);
    return new Set(some.filter((uuid) => owned.has(keyOf(uuid))));
  };
  const processing = { ...options, reading, keepOwned };
  const outcomes = [...(await processApplications(context, own, processing))];
  const missed = own.filter((_, index) => isMissedRemoval(outcomes[index]));
  if (missed.length > 0) {
    // A synchronization may be about to store older data: notify it, then process these again.
    await noteMissedRemoval();
    outcomes.push(...(await processApplications(context, missed, processing)));
  }
  return settle(batch, outcomes, options.delays);
}

/** An announced deletion counts only if the app directory does not know the app, whoever announced it. */
function findGone(jobs: readonly ClaimedJob[], records: readonly unknown[]): readonly unknown[] {
  const known = new Set(records.map((record) => keyOf(uuidOf(record))));
  return jobs.flatMap(({ uuid, isDeletion }) =>
    isDeletion && !known.has(keyOf(uuid)) ? [{ uuid, deleted_ts: new Date() }] : [],
  );
}

const keyOf = (uuid: string) => uuid.toLowerCase();

function uuidOf(record: unknown): string {
  const uuid = memberOf(record, "uuid");
  return typeof uuid === "string" ? uuid : "";
}

function isMissedRemoval(outcome: Outcome | undefined): boolean {
  return outcome?.kind === "deleted" && !outcome.isChanged;
}

/** One app may cause a query that the app directory does not understand. Wrong keys concern all apps. */
function isOneOfMany(error: unknown, jobs: readonly ClaimedJob[]): boolean {
  return isDirectoryRefused(error) && error.status === 400 && jobs.length > 1;
}

async function workOffAlone(
  context: WriteContext,
  client: Pick<DirectoryClient, "applications">,
  { claim, jobs }: ClaimedBatch,
  options: BatchOptions,
): Promise<BatchResult> {
  const results: BatchResult[] = [];
  for (const job of jobs) results.push(await workOffBatch(context, client, { claim, jobs: [job] }, options));
  return {
    applied: results.flatMap(({ applied }) => applied),
    again: results.flatMap(({ again }) => again),
    stored: results.flatMap(({ stored }) => stored),
  };
}

/** Rule Q5: network failures do not increase the delay. A refusal counts as a failure, like a malformed record. */
async function postponeAll({ claim, jobs }: ClaimedBatch, error: unknown, delays: readonly number[]): Promise<void> {
  const isPassing = isDirectoryFailed(error);
  if (!isPassing && !isDirectoryRefused(error)) throw error;
  const now = Date.now();
  const postponed = jobs.map(({ uuid, attempts }) => {
    const failures = isPassing ? attempts : attempts + 1;
    const delay = retryDelay(failures, delays);
    // Spread the retries, so that an app that upsets the app directory does not meet the same others every time.
    const spread = isPassing ? Math.random() * delay * 0.1 : 0;
    return { uuid, attempts: failures, dueAt: new Date(now + delay + spread), reason: error.message };
  });
  await postponeJobs(claim, postponed);
  const minutes = postponed.map(({ dueAt }) => minutesUntil(dueAt, now));
  log.warn(
    { apps: jobs.length, reason: error.message, minutes: Math.min(...minutes) },
    "notified apps cannot be read from the app directory now",
  );
}

const minutesUntil = (dueAt: Date, now: number) => Math.round((dueAt.getTime() - now) / 6_000) / 10;

/** Rules Q4 and Q7. */
async function settle(
  { claim, jobs }: ClaimedBatch,
  outcomes: readonly Outcome[],
  delays: readonly number[],
): Promise<BatchResult> {
  const of = (uuid: string) => outcomes.filter((outcome) => outcome.uuid && keyOf(outcome.uuid) === keyOf(uuid));
  const now = Date.now();
  const done: ClaimedJob[] = [];
  const postponed: Postponement[] = [];
  const again: string[] = [];
  for (const job of jobs) {
    const { uuid, attempts, isDeletion } = job;
    const own = of(uuid);
    const malformed = own.find((outcome) => outcome.kind === "malformed");
    if (malformed !== undefined) {
      const dueAt = new Date(now + retryDelay(attempts + 1, delays));
      const { reason } = malformed;
      postponed.push({ uuid, attempts: attempts + 1, dueAt, reason });
      log.warn({ uuid, reason, minutes: minutesUntil(dueAt, now) }, malformedLine);
    } else if (own.some(({ kind }) => kind === "overtaken")) {
      again.push(uuid);
      postponed.push({ uuid, attempts, dueAt: new Date(now), reason: null });
    } else {
      if (own.length === 0) log.info({ uuid }, "the app directory does not know an app that was to be read");
      else if (isDeletion && !own.some(({ kind }) => kind === "deleted"))
        log.warn({ uuid }, "a deletion was announced of an app that the app directory still has: it stays");
      done.push(job);
    }
  }
  await finishJobs(claim, done);
  await postponeJobs(claim, postponed);
  return {
    applied: done.map(({ uuid }) => uuid),
    again,
    stored: outcomes.filter((outcome) => outcome.kind === "stored"),
  };
}
