import "server-only";
import type { WriteContext } from "@/lib/platform/db/transaction";
import { applicationQueue, findOwned } from "@/lib/apps/directory/queue/application-queue";
import { retryDelay, type Batch, type Postponement } from "@/lib/jobs/queue";
import type { DirectoryClient } from "@/lib/apps/directory/client/client";
import { DirectoryFailed, DirectoryRefused } from "@/lib/apps/directory/client/errors";
import type { Outcome } from "@/lib/apps/directory/client/outcome";
import { processApplications, type ProcessOptions } from "@/lib/apps/directory/apps/process-applications";
import { DirectoryReading, noteMissedRemoval } from "@/lib/apps/directory/client/reading";
import { loadSpellings } from "@/lib/apps/directory/apps/stored-apps";
import { log } from "@/lib/platform/log";
import type { WebhookJobRecord } from "@/models/directory/webhook-job";
import { memberOf } from "@/lib/policy/head-unit/values";

export interface BatchOptions extends Pick<ProcessOptions, "settings" | "handleBundle" | "mail"> {
  /** In milliseconds, after the first, second, … failure. */
  readonly delays: readonly number[];
}

type Stored = Extract<Outcome, { kind: "stored" }>;

export const malformedLine = "the record of an app is malformed; it is read again later";

/** Rule Q3. Removes or postpones elements, unless notified again. Returns what was stored. Throws DatabaseUnavailable. */
export async function workOffBatch(
  context: WriteContext,
  client: Pick<DirectoryClient, "applications">,
  batch: Batch<WebhookJobRecord>,
  options: BatchOptions,
): Promise<readonly Stored[]> {
  const reading = await DirectoryReading.begin();
  const { jobs } = batch;
  const wanted = new Set(jobs.map(({ _id: uuid }) => keyOf(uuid)));
  const spellings = await loadSpellings(wanted);
  let records: readonly unknown[];
  try {
    // Both spellings if they differ: the app directory may know only one, which does not mean that the app is gone.
    records = await client.applications([...new Set(jobs.flatMap(({ _id: uuid }) => [uuid, spellings.of(uuid)]))]);
  } catch (error) {
    if (isOneOfMany(error, jobs)) return workOffAlone(context, client, batch, options);
    await postponeAll(batch, error, options.delays);
    return [];
  }
  // Ignore records that were not requested, such as those without a uuid.
  const own = records.filter((record) => wanted.has(keyOf(uuidOf(record))));
  own.push(...findGone(jobs, own));
  const keepOwned: ProcessOptions["keepOwned"] = async (tx, some) => {
    const owned = await findOwned(tx, batch);
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
function findGone(jobs: readonly WebhookJobRecord[], records: readonly unknown[]): readonly unknown[] {
  const known = new Set(records.map((record) => keyOf(uuidOf(record))));
  return jobs.flatMap(({ _id: uuid, isDeletion }) =>
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
function isOneOfMany(error: unknown, jobs: readonly WebhookJobRecord[]): boolean {
  return error instanceof DirectoryRefused && error.status === 400 && jobs.length > 1;
}

async function workOffAlone(
  context: WriteContext,
  client: Pick<DirectoryClient, "applications">,
  { claim, jobs }: Batch<WebhookJobRecord>,
  options: BatchOptions,
): Promise<readonly Stored[]> {
  const stored: Stored[] = [];
  for (const job of jobs) {
    stored.push(...(await workOffBatch(context, client, { claim, jobs: [job] }, options)));
  }
  return stored;
}

/** Rule Q5: network failures do not increase the delay. A refusal counts as a failure, like a malformed record. */
async function postponeAll(
  { claim, jobs }: Batch<WebhookJobRecord>,
  error: unknown,
  delays: readonly number[],
): Promise<void> {
  const isPassing = error instanceof DirectoryFailed;
  if (!isPassing && !(error instanceof DirectoryRefused)) throw error;
  const now = Date.now();
  const postponed = jobs.map(({ _id, attempts }) => {
    const failures = isPassing ? attempts : attempts + 1;
    const delay = retryDelay(failures, delays);
    // Spread the retries, so that an app that upsets the app directory does not meet the same others every time.
    const spread = isPassing ? Math.random() * delay * 0.1 : 0;
    return { _id, attempts: failures, dueAt: new Date(now + delay + spread), reason: error.message };
  });
  await applicationQueue.postpone(claim, postponed);
  const minutes = postponed.map(({ dueAt }) => minutesUntil(dueAt, now));
  log.warn(
    { apps: jobs.length, reason: error.message, minutes: Math.min(...minutes) },
    "notified apps cannot be read from the app directory now",
  );
}

const minutesUntil = (dueAt: Date, now: number) => Math.round((dueAt.getTime() - now) / 6_000) / 10;

/** Rules Q4 and Q7. */
async function settle(
  { claim, jobs }: Batch<WebhookJobRecord>,
  outcomes: readonly Outcome[],
  delays: readonly number[],
): Promise<readonly Stored[]> {
  const of = (uuid: string) => outcomes.filter((outcome) => outcome.uuid && keyOf(outcome.uuid) === keyOf(uuid));
  const now = Date.now();
  const done: WebhookJobRecord[] = [];
  const postponed: Postponement[] = [];
  for (const job of jobs) {
    const { _id: uuid, attempts, isDeletion } = job;
    const own = of(uuid);
    const malformed = own.find((outcome) => outcome.kind === "malformed");
    if (malformed !== undefined) {
      const dueAt = new Date(now + retryDelay(attempts + 1, delays));
      const { reason } = malformed;
      postponed.push({ _id: uuid, attempts: attempts + 1, dueAt, reason });
      log.warn({ uuid, reason, minutes: minutesUntil(dueAt, now) }, malformedLine);
    } else if (own.some(({ kind }) => kind === "overtaken")) {
      postponed.push({ _id: uuid, attempts, dueAt: new Date(now), reason: null });
    } else {
      if (own.length === 0) log.info({ uuid }, "the app directory does not know an app that was to be read");
      else if (isDeletion && !own.some(({ kind }) => kind === "deleted"))
        log.warn({ uuid }, "a deletion was announced of an app that the app directory still has: it stays");
      done.push(job);
    }
  }
  await applicationQueue.finish(claim, done);
  await applicationQueue.postpone(claim, postponed);
  return outcomes.filter((outcome) => outcome.kind === "stored");
}
