import { namesOf } from "@/lib/vocabulary/members";
import type { Settings } from "@/lib/platform/settings";

/** The tasks of `directory.md` 4.1 and 4.2 in display order, and what each needs besides the database. */
const needs = {
  permissions: "directory",
  "service-types": "directory",
  categories: "directory",
  languages: "specification",
  "rpc-specification": "specification",
  applications: "directory",
  "app-certificates": "certificates",
  "module-certificate": "certificates",
  retention: null,
  backup: "backups",
  "restore-drill": "backups",
} as const;
export type TaskName = keyof typeof needs;
export const taskNames = namesOf(needs);

/** Name of the lock under which a task runs, on one instance at a time (`directory.md` 4.2). */
export const lockOf = (name: TaskName): string => `task:${name}`;

/** In display order. */
export function listTaskNames({ directory, certificateGeneration, ...settings }: Settings): readonly TaskName[] {
  const has = {
    directory: directory !== "off",
    specification: settings.rpcSpecSource !== null,
    certificates: certificateGeneration.enabled,
    backups: settings.backupDir !== null,
  };
  return taskNames.filter((name) => {
    const need = needs[name];
    return need === null || has[need];
  });
}
