import "server-only";
import { describeCertificate } from "@/lib/certificates/describe";
import { loadInTime } from "@/lib/platform/db/connection/connect";
import { countWaitingWriters } from "@/lib/platform/db/transaction";
import { isDatabaseUnexpected } from "@/lib/platform/db/connection/unexpected-database";
import { writeRefusal } from "@/lib/platform/db/connection/write-refusal";
import { applicationQueue } from "@/lib/apps/directory/queue/application-queue";
import { feedbackQueue } from "@/lib/apps/applications/feedback";
import { listTaskNames } from "@/lib/jobs/task-names";
import { type Figure, gauge, type Sample } from "@/lib/platform/process/process-figures";
import { countWaitingMail } from "@/lib/platform/mail/review-mail";
import { type HeadUnitFinding, headUnitSeverities } from "@/lib/policy/head-unit/finding";
import { environments, recordStatuses, type Environment } from "@/lib/vocabulary/terms";
import { findRollout, stepOf } from "@/lib/records/publishing/rollout";
import { servedRevision } from "@/lib/platform/process/served";
import type { Settings } from "@/lib/platform/settings";
import { shareWork, within } from "@/lib/platform/async";
import { AppCertificateModel } from "@/models/app-certificate";
import { DirectoryTaskModel } from "@/models/directory/directory-task";
import { ModuleConfigModel } from "@/models/module-config";
import { statfs } from "node:fs/promises";

export interface ConsoleSources {
  readonly settings: Settings;
  readonly findings: (environment: Environment) => readonly HeadUnitFinding[];
}

/** Timeout in milliseconds: a database or network share that does not respond must not delay the other metrics. */
const timeoutMs = 1_000;

export function consoleFigures({ settings, findings }: ConsoleSources): readonly Figure[] {
  return [
    gauge("policy_database_writable", "0 while nothing is stored, e.g. because the disk of the database is full", () =>
      writeRefusal() === null && !isDatabaseUnexpected() ? 1 : 0,
    ),
    gauge(
      "policy_served_revision",
      "Lowest revision that the vehicle workers serve; absent without vehicle workers",
      servedRevision,
    ),
    gauge(
      "policy_queue_length",
      "Waiting items: changes (writers), apps to read again (webhooks), decisions for the directory, apps to mail about",
      readQueues,
    ),
    ...taskFigures(settings),
    ...rolloutFigures(),
    ...certificateFigures(),
    ...diskFigures(settings.dataDir),
    gauge(
      "policy_head_unit_findings",
      "Problems that head units would report in the policy table: shared parts, and the app entries that were checked",
      () => environments.flatMap((environment) => countFindings(environment, findings(environment))),
    ),
  ];
}

async function readQueues(): Promise<readonly Sample[]> {
  const [jobs, decisions] = await Promise.all([
    loadInTime(() => applicationQueue.summarize(), timeoutMs),
    loadInTime(() => feedbackQueue.summarize(), timeoutMs),
  ]);
  const lengths = {
    writers: countWaitingWriters(),
    webhooks: jobs?.waiting,
    decisions: decisions?.waiting,
    mail: countWaitingMail(),
  };
  return Object.entries(lengths).flatMap(([queue, value]) =>
    value === undefined ? [] : [{ labels: { queue }, value }],
  );
}

function taskFigures(settings: Settings): readonly Figure[] {
  const find = () => DirectoryTaskModel.find({}, { succeededAt: 1 }).lean().exec();
  const read = shareWork(() => loadInTime(find, timeoutMs));
  const samples = async (valueOf: (succeededAt: number | null) => number): Promise<readonly Sample[]> => {
    const records = await read();
    if (records === null) return [];
    const times = new Map(records.map(({ _id, succeededAt }) => [_id, succeededAt]));
    return listTaskNames(settings).map((task) => {
      return { labels: { task }, value: valueOf(times.get(task)?.getTime() ?? null) };
    });
  };
  const age = (at: number | null) => (at === null ? Number.NaN : Math.max(0, Date.now() - at) / 1000);
  return [
    gauge("policy_task_success_age_seconds", "Time since a task last succeeded; absent before the first success", () =>
      samples(age),
    ),
    gauge("policy_task_success_timestamp_seconds", "When a task last succeeded, in seconds since 1970; 0: never", () =>
      samples((at) => (at ?? 0) / 1000),
    ),
  ];
}

function rolloutFigures(): readonly Figure[] {
  const read = shareWork(() => loadInTime(async () => ({ alive: await findRollout() }), timeoutMs));
  const states = ["running", "paused", "braked"];
  return [
    gauge(
      "policy_rollout_state",
      "1 for the state of the rollout that is alive; braked: the server paused it",
      async () => {
        const found = await read();
        const state = found?.alive?.brake ? "braked" : found?.alive?.state;
        return found && states.map((one) => ({ labels: { state: one }, value: one === state ? 1 : 0 }));
      },
    ),
    gauge(
      "policy_rollout_ratio",
      "Share of its vehicles that the rollout gives the release; absent without one",
      async () => {
        const alive = (await read())?.alive;
        return alive ? stepOf(alive).percent / 100 : null;
      },
    ),
  ];
}

function certificateFigures(): readonly Figure[] {
  const read = shareWork(() => loadInTime(findValidities, timeoutMs));
  const validity = (of: keyof Validity, help: string) =>
    gauge(`policy_certificate_${of}_timestamp_seconds`, help, async () =>
      Object.entries((await read()) ?? {}).flatMap(([certificate, { [of]: at }]) =>
        at ? [{ labels: { certificate }, value: Math.floor(at.getTime() / 1000) }] : [],
      ),
    );
  return [
    validity("start", "When that certificate became valid, in seconds since 1970"),
    validity("end", "When the certificate of a module config ends, and the first one of an app, in seconds since 1970"),
  ];
}

interface Validity {
  readonly start: Date | null | undefined;
  readonly end: Date | null | undefined;
}

async function findValidities(): Promise<Readonly<Record<string, Validity>>> {
  const ofModule = async (status: (typeof recordStatuses)[number]) => {
    const members = { certificate: 1, expirationTs: 1 };
    const newest = await ModuleConfigModel.findOne({ status }, members).sort({ _id: -1 }).lean();
    const validFrom = describeCertificate(newest?.certificate ?? "")?.validFrom;
    const start = validFrom === undefined ? null : new Date(validFrom);
    return [`module_${status.toLowerCase()}`, { start, end: newest?.expirationTs }] as const;
  };
  const members = { createdAt: 1, expirationTs: 1 };
  const ofApps = await AppCertificateModel.findOne({}, members).sort({ expirationTs: 1 }).lean();
  const modules = await Promise.all(recordStatuses.map(ofModule));
  return { ...Object.fromEntries(modules), apps: { start: ofApps?.createdAt, end: ofApps?.expirationTs } };
}

const builds = ["regular", "external", "both"] as const;

function countFindings(environment: Environment, found: readonly HeadUnitFinding[]): readonly Sample[] {
  return builds.flatMap((build) =>
    headUnitSeverities.map((severity) => ({
      labels: { environment, build, severity },
      value: found.filter((one) => one.build === build && one.severity === severity).length,
    })),
  );
}

export function diskFigures(folder: string): readonly Figure[] {
  const ask = shareWork(() => readSpace(folder));
  const space = (of: "free" | "size") => async () => (await within(timeoutMs, ask(), () => null))?.[of] ?? null;
  return [
    gauge("policy_data_disk_free_bytes", "Space left on the disk that holds DATA_DIR", space("free")),
    gauge("policy_data_disk_size_bytes", "Size of the disk that holds DATA_DIR", space("size")),
  ];
}

async function readSpace(folder: string) {
  try {
    // Excludes the space reserved for root.
    const { bavail, blocks, bsize } = await statfs(folder);
    return { free: bavail * bsize, size: blocks * bsize };
  } catch {
    return null;
  }
}
