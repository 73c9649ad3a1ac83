import "server-only";
import { renewAppCertificates, renewModuleCertificates } from "@/lib/certificates/app/renewal";
import { keepBackup } from "@/lib/platform/backup/commands";
import type { WriteContext } from "@/lib/platform/db/transaction";
import type { HandleBundle } from "@/lib/apps/directory/apps/process-applications";
import type { DirectoryClient } from "@/lib/apps/directory/client/client";
import { rpcSpecificationUrl } from "@/lib/apps/directory/client/endpoint";
import { syncCategories, syncPermissions, syncServiceTypes } from "@/lib/apps/directory/lists/list-commands";
import { syncApplications } from "@/lib/apps/directory/apps/sync-applications";
import type { TaskName } from "@/lib/apps/directory/tasks/task-names";
import type { DirectoryTask } from "@/lib/apps/directory/tasks/task-run";
import { removeOldRecords } from "@/lib/apps/retention/commands";
import { syncLanguages, syncRpcSpecification } from "@/lib/content/rpc-specification/commands";
import type { Settings } from "@/lib/platform/settings";

const contextOf = (name: TaskName): WriteContext => ({ actor: "schedule", route: `task ${name}`, requestId: null });

/** What tasks need of the rest of the directory work. */
export interface TaskNeeds {
  readonly settings: Settings;
  /** Null: there is no directory, and no task that reads it. */
  readonly client: DirectoryClient | null;
  readonly handleBundle: HandleBundle;
  /** Called after apps were stored that may lack a certificate. */
  readonly afterStoring: () => void;
}

/** The tasks that these settings ask for (`directory.md` 4.1) with their daily times (4.2). */
export function buildTasks({ settings, client, ...needs }: TaskNeeds): readonly DirectoryTask[] {
  return [
    ...(client === null ? [] : directoryTasks({ settings, client, ...needs })),
    ...specificationTasks(settings),
    ...(settings.certificateGeneration.enabled ? certificateTasks : []),
    retentionTask(settings),
    ...backupTasks(settings),
  ];
}

const directoryTasks = ({
  client,
  ...needs
}: TaskNeeds & { readonly client: DirectoryClient }): readonly DirectoryTask[] => [
  {
    name: "permissions",
    at: { hour: 0, minute: 0 },
    run: async (report) => ({ ...(await syncPermissions(contextOf("permissions"), client, report)) }),
  },
  {
    name: "service-types",
    at: { hour: 0, minute: 2 },
    run: async (report) => ({ ...(await syncServiceTypes(contextOf("service-types"), client, report)) }),
  },
  {
    name: "categories",
    at: { hour: 0, minute: 10 },
    run: async (report) => ({ ...(await syncCategories(contextOf("categories"), client, report)) }),
  },
  {
    name: "applications",
    at: { hour: 0, minute: 30 },
    after: ["permissions", "service-types", "categories"],
    run: async (report) => {
      const result = await syncApplications(contextOf("applications"), client, report, needs);
      if (result.stored > 0) needs.afterStoring();
      return { ...result };
    },
  },
];

/** No part of the directory: these go on where there is none (`directory.md` 3.7). */
const specificationTasks = (settings: Settings): readonly DirectoryTask[] => [
  {
    name: "languages",
    at: { hour: 0, minute: 5 },
    run: (report) => syncLanguages(contextOf("languages"), rpcSpecificationUrl(settings), report),
  },
  {
    name: "rpc-specification",
    at: { hour: 0, minute: 15 },
    run: (report) => syncRpcSpecification(contextOf("rpc-specification"), rpcSpecificationUrl(settings), report),
  },
];

const retentionTask = ({ auditRetentionDays }: Settings): DirectoryTask => ({
  name: "retention",
  at: { hour: 0, minute: 40 },
  run: async (report, signal) => ({
    ...(await removeOldRecords(contextOf("retention"), report, { auditRetentionDays, signal })),
  }),
});

/** Of the embedded database alone: MongoDB has tools of its own (`exchange.md` X12). */
const backupTasks = ({
  usesEmbeddedDatabase,
  backupDir: folder,
  backupKeep: keep,
}: Settings): readonly DirectoryTask[] =>
  !usesEmbeddedDatabase || folder === null
    ? []
    : [
        {
          name: "backup",
          at: { hour: 1, minute: 0 },
          run: async (report) => ({ ...(await keepBackup({ folder, keep }, contextOf("backup"), report)) }),
        },
      ];

const certificateTasks: readonly DirectoryTask[] = [
  {
    name: "app-certificates",
    at: { hour: 0, minute: 20 },
    run: async (report, signal) => ({
      ...(await renewAppCertificates(contextOf("app-certificates"), report, { signal })),
    }),
  },
  {
    name: "module-certificate",
    at: { hour: 0, minute: 25 },
    run: async (report) => ({ renewed: await renewModuleCertificates(contextOf("module-certificate"), report) }),
  },
];
