import "server-only";
import { loadInTime } from "@/lib/db/load-in-time";
import { countWaitingWriters } from "@/lib/db/transaction";
import { isDatabaseUnexpected } from "@/lib/db/connection/unexpected-database";
import { writeRefusal } from "@/lib/db/connection/write-refusal";
import { countWaitingFeedback, countWaitingJobs } from "@/lib/directory/queue/queue-queries";
import type { Figure, Sample } from "@/lib/process/process-figures";
import { countWaitingMail } from "@/lib/mail/review-mail";
import { type HeadUnitFinding, headUnitSeverities } from "@/lib/policy/head-unit/finding";
import { environments, recordStatuses, type Environment } from "@/lib/words/vocabulary";
import { servedRevision } from "@/lib/process/served";
import { AppCertificateModel } from "@/models/app-certificate";
import { DirectoryTaskModel } from "@/models/directory/directory-task";
import { ModuleConfigModel } from "@/models/module-config";

export interface ConsoleSources {
  readonly findings: (environment: Environment) => readonly HeadUnitFinding[];
}

/** What the database is asked for figures must not hold up the others; milliseconds. */
const patienceMs = 1_000;

/** What the console alone knows (`processes.md` N6). Of what the database does not tell in time nothing is said. */
export function consoleFigures({ findings }: ConsoleSources): readonly Figure[] {
  return [
    {
      name: "policy_database_writable",
      help: "0 while nothing is stored, e.g. because the disk of the database is full",
      type: "gauge",
      read: () => (writeRefusal() === null && !isDatabaseUnexpected() ? 1 : 0),
    },
    {
      name: "policy_served_revision",
      help: "Revision that every lane answers vehicles from or has gone beyond; absent without lanes",
      type: "gauge",
      read: servedRevision,
    },
    {
      name: "policy_queue_length",
      help: "What waits: changes (writers), apps to be read again (webhooks), decisions for the directory, apps to mail about",
      type: "gauge",
      read: readQueues,
    },
    {
      name: "policy_task_success_age_seconds",
      help: "Time since the last success of a task; absent before the first",
      type: "gauge",
      read: readTasks,
    },
    {
      name: "policy_certificate_end_timestamp_seconds",
      help: "When the certificate of a module config ends, and the first one of an app, in seconds since 1970",
      type: "gauge",
      read: readCertificates,
    },
    {
      name: "policy_head_unit_findings",
      help: "What head units would object to in the policy table, shared parts and entries of apps that were looked at",
      type: "gauge",
      read: () => environments.flatMap((environment) => countFindings(environment, findings(environment))),
    },
  ];
}

async function readQueues(): Promise<readonly Sample[]> {
  const [jobs, decisions] = await Promise.all([
    loadInTime(countWaitingJobs, patienceMs),
    loadInTime(countWaitingFeedback, patienceMs),
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

async function readTasks(): Promise<readonly Sample[]> {
  const done = { succeededAt: { $ne: null } };
  const tasks = await loadInTime(() => DirectoryTaskModel.find(done, { succeededAt: 1 }).lean().exec(), patienceMs);
  return (tasks ?? []).map(({ _id: task, succeededAt }) => {
    return { labels: { task }, value: Math.max(0, Date.now() - Number(succeededAt)) / 1000 };
  });
}

async function readCertificates(): Promise<readonly Sample[]> {
  const ends = await loadInTime(findEnds, patienceMs);
  return Object.entries(ends ?? {}).flatMap(([certificate, end]) =>
    end instanceof Date ? [{ labels: { certificate }, value: Math.floor(Number(end) / 1000) }] : [],
  );
}

async function findEnds(): Promise<Readonly<Record<string, Date | null | undefined>>> {
  const ofModule = async (status: (typeof recordStatuses)[number]) => {
    const newest = await ModuleConfigModel.findOne({ status }, { expirationTs: 1 }).sort({ _id: -1 }).lean();
    return [`module_${status.toLowerCase()}`, newest?.expirationTs] as const;
  };
  const firstOfApps = await AppCertificateModel.findOne({}, { expirationTs: 1 }).sort({ expirationTs: 1 }).lean();
  const modules = await Promise.all(recordStatuses.map(ofModule));
  return { ...Object.fromEntries(modules), apps: firstOfApps?.expirationTs };
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
