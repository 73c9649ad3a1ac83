import "server-only";
import { renewAppCertificates, renewModuleCertificates } from "@/lib/certificates/renewal";
import { type WriteContext } from "@/lib/db/transaction";
import { type TaskName } from "@/lib/directory/task-names";
import { type DirectoryTask } from "@/lib/directory/task-run";
import { type Settings } from "@/lib/settings";

const contextOf = (name: TaskName): WriteContext => ({ actor: "schedule", route: `task ${name}`, requestId: null });

/** The tasks that these settings ask for, with their daily times (`directory.md` 4.1, 4.2). */
export function buildTasks({ certificateGeneration }: Settings): readonly DirectoryTask[] {
  return certificateGeneration.enabled ? certificateTasks : [];
}

const certificateTasks: readonly DirectoryTask[] = [
  {
    name: "app-certificates",
    at: { hour: 0, minute: 20 },
    run: async (report, signal) => {
      const { renewed, failed } = await renewAppCertificates(contextOf("app-certificates"), report, { signal });
      return { renewed, failed };
    },
  },
  {
    name: "module-certificate",
    at: { hour: 0, minute: 25 },
    run: async (report) => ({ renewed: await renewModuleCertificates(contextOf("module-certificate"), report) }),
  },
];

/** The names of the tasks that these settings ask for, in the order in which they are shown. */
export function listTaskNames(settings: Settings): readonly TaskName[] {
  return buildTasks(settings).map(({ name }) => name);
}
