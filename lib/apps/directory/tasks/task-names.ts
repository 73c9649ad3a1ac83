import type { Settings } from "@/lib/platform/settings";

/** The tasks of `directory.md` 4.1 and 4.2, in the order in which they are shown. */
export const taskNames = [
  "permissions",
  "service-types",
  "categories",
  "languages",
  "rpc-specification",
  "applications",
  "app-certificates",
  "module-certificate",
  "retention",
  "backup",
] as const;
export type TaskName = (typeof taskNames)[number];

/** Name of the lock under which a task runs, on one instance at a time (`directory.md` 4.2). */
export const lockOf = (name: TaskName): string => `task:${name}`;

const withoutDirectory: readonly TaskName[] = ["languages", "rpc-specification", "retention"];
const ofCertificates: readonly TaskName[] = ["app-certificates", "module-certificate"];

/** The names of the tasks that these settings ask for, in the order in which they are shown. */
export function listTaskNames({ directory, certificateGeneration, ...settings }: Settings): readonly TaskName[] {
  return taskNames.filter((name) => {
    if (name === "backup") return settings.usesEmbeddedDatabase && settings.backupDir !== null;
    if (ofCertificates.includes(name)) return certificateGeneration.enabled;
    return directory !== "off" || withoutDirectory.includes(name);
  });
}
