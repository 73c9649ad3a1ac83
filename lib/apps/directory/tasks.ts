import "server-only";
import { renewAppCertificates, renewModuleCertificates } from "@/lib/certificates/app/renewal";
import { keepBackup } from "@/lib/platform/backup/commands";
import { drillNewest } from "@/lib/platform/backup/drill-process";
import type { WriteContext } from "@/lib/platform/db/transaction";
import type { HandleBundle } from "@/lib/apps/directory/apps/process-applications";
import type { DirectoryClient } from "@/lib/apps/directory/client/client";
import { rpcSpecificationSource } from "@/lib/apps/directory/client/endpoint";
import { syncCategories, syncPermissions, syncServiceTypes } from "@/lib/apps/directory/lists/list-commands";
import { syncApplications } from "@/lib/apps/directory/apps/sync-applications";
import { listTaskNames, type TaskName } from "@/lib/jobs/task-names";
import type { Task, TaskCounts } from "@/lib/jobs/task-run";
import { removeOldRecords } from "@/lib/apps/retention/commands";
import { syncLanguages, syncRpcSpecification } from "@/lib/records/rpc-specification/commands";
import type { TaskReport } from "@/lib/platform/process/task-report";
import { tableDigester } from "@/lib/policy/table-digests";
import type { Settings } from "@/lib/platform/settings";

interface TaskNeeds {
  readonly settings: Settings;
  /** Null without an app directory; then there are no tasks that read it. */
  readonly client: DirectoryClient | null;
  readonly handleBundle: HandleBundle;
  /** Called after storing apps that may lack a certificate. */
  readonly afterStoring: () => void;
}

const keptBackups = 14;

/** The tasks for these settings (`directory.md` 4.1) with their daily times (4.2). */
export function buildTasks({ settings, client, ...needs }: TaskNeeds): readonly Task[] {
  const { auditRetentionDays, backupDir: folder } = settings;
  const names = listTaskNames(settings);
  const tasks = [
    ...(client === null ? [] : directoryTasks({ settings, client, ...needs })),
    // These do not need the app directory (`directory.md` 3.7).
    daily("languages", "0:05", (context, report) => syncLanguages(context, rpcSpecificationSource(settings), report)),
    daily("rpc-specification", "0:15", (context, report) =>
      syncRpcSpecification(context, rpcSpecificationSource(settings), report),
    ),
    daily("app-certificates", "0:20", (context, report, signal) => renewAppCertificates(context, report, { signal })),
    daily("module-certificate", "0:25", async (context, report) => {
      return { renewed: await renewModuleCertificates(context, report) };
    }),
    daily("retention", "0:40", (context, report, signal) =>
      removeOldRecords(context, report, { auditRetentionDays, signal }),
    ),
    ...(folder === null
      ? []
      : [
          daily("backup", "1:00", (context, report) =>
            keepBackup({ folder, keep: keptBackups, digest: tableDigester(settings) }, context, report),
          ),
          {
            ...daily("restore-drill", "1:10", (_context, _report, signal) => drillNewest(folder, signal)),
            after: ["backup"] as const,
          },
        ]),
  ];
  return tasks.filter(({ name }) => names.includes(name));
}

type Run = (context: WriteContext, report: TaskReport, stop: AbortSignal) => Promise<TaskCounts>;

/** `time` is like `0:05`. */
function daily(name: TaskName, time: string, run: Run): Task {
  const [hour = 0, minute = 0] = time.split(":").map(Number);
  const context = { actor: "schedule", route: `task ${name}`, requestId: null };
  return { name, at: { hour, minute }, run: (report, stop) => run(context, report, stop) };
}

const directoryTasks = ({ client, ...needs }: TaskNeeds & { readonly client: DirectoryClient }) => [
  daily("permissions", "0:00", (context, report) => syncPermissions(context, client, report)),
  daily("service-types", "0:02", (context, report) => syncServiceTypes(context, client, report)),
  daily("categories", "0:10", (context, report) => syncCategories(context, client, report)),
  {
    ...daily("applications", "0:30", async (context, report) => {
      const result = await syncApplications(context, client, report, needs);
      if (result.stored > 0) needs.afterStoring();
      return result;
    }),
    after: ["permissions", "service-types", "categories"] as const,
  },
];
