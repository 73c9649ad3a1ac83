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
] as const;
export type TaskName = (typeof taskNames)[number];

/** Name of the lock under which a task runs, on one instance at a time (`directory.md` 4.2). */
export const lockOf = (name: TaskName): string => `task:${name}`;
