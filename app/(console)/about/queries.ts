import "server-only";
import { authorityState } from "@/lib/certificates/generation";
import { findExposure } from "@/lib/certificates/exposure";
import { isReviewMailOn } from "@/lib/platform/mail/send-mail";
import { policyStatus, summarizeFindings } from "@/lib/policy/status";
import { servedRevision } from "@/lib/platform/process/served";
import { loadSettings, type Settings } from "@/lib/platform/settings";
import { packageVersion } from "@/lib/platform/version";
import { requiresSignIn } from "@/lib/platform/settings/kinds";
import { loadInTime } from "@/lib/platform/db/connection/connect";
import { directoryEndpoint } from "@/lib/apps/directory/client/endpoint";
import { listTasks, type ShownTask } from "@/lib/apps/directory/queries";
import { applicationQueue } from "@/lib/apps/directory/queue/application-queue";
import { feedbackQueue } from "@/lib/apps/applications/feedback";
import type { QueueSummary } from "@/lib/jobs/queue";
import { listTaskNames } from "@/lib/jobs/task-names";

/** Contains no secrets (`api.md` 2.4). */
export async function loadAbout() {
  const settings = loadSettings();
  const exposure = findExposure(settings);
  const { notifyAppReviewFrequency: frequency, notifyAppReviewEmails: recipients } = settings;
  return {
    current_version: packageVersion,
    // For clients of the existing server: this one does not look for newer versions.
    ...{ latest_version: packageVersion, is_update_available: false, update_type: null },
    ssl_port: settings.tls?.port ?? null,
    cache_module: null,
    auth_type: requiresSignIn(settings.authType) ? settings.authType : null,
    auto_approve_all_apps: settings.autoApproveAllApps,
    encryption_required: settings.encryptionRequired,
    base_url: settings.publicBaseUrl,
    webhook_url: `${settings.publicBaseUrl}/api/v1/webhook`,
    notification: {
      appsPendingReview: {
        email: {
          enabled: isReviewMailOn(settings),
          frequency,
          to_count: recipients.length,
        },
      },
    },
    ...(await authorityState()),
    module_key_public: exposure.isModuleKeyPublic,
    app_certificate_get: exposure.containers,
    auth_user_header: settings.authUserHeader,
    database: settings.usesEmbeddedDatabase ? "embedded" : "mongodb",
    directory: await loadAboutDirectory(settings),
    policy: {
      revision: policyStatus()?.revision ?? null,
      served_revision: servedRevision(),
      unexpected_database: policyStatus()?.unexpectedDatabase ?? null,
    },
    head_unit_findings: summarizeFindings(),
  };
}

/** `tasks` and `queues` are null while the database is unavailable or slow. */
export async function loadAboutDirectory(settings: Settings) {
  const [tasks, jobs, feedback] = await Promise.all([
    loadInTime(() => listTasks(listTaskNames(settings))),
    loadInTime(() => applicationQueue.summarize()),
    loadInTime(() => feedbackQueue.summarize()),
  ]);
  return {
    mode: settings.directory,
    base_url: directoryEndpoint(settings)?.baseUrl ?? null,
    tasks: tasks?.map(toWireTask) ?? null,
    queues: jobs && feedback && { applications: toWireQueue(jobs), feedback: toWireQueue(feedback) },
  };
}

function toWireQueue({ waiting, failing, nextDueAt, lastError }: QueueSummary) {
  return { waiting, failing, next_due_ts: nextDueAt, last_error: lastError };
}

function toWireTask(task: ShownTask) {
  const { name, state, phase, done, total, counts } = task;
  return {
    ...{ name, state, phase, done, total, counts },
    started_ts: toText(task.startedAt),
    finished_ts: toText(task.finishedAt),
    succeeded_ts: toText(task.succeededAt),
    // A time in the past comes from a schedule that no longer runs.
    next_run_ts: Number(task.nextRunAt) > Date.now() ? toText(task.nextRunAt) : null,
    last_error: task.lastError,
  };
}

function toText(date: Date | null): string | null {
  return date?.toISOString() ?? null;
}
