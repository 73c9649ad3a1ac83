/** What audit events are about, by the beginnings of their targets. Safe in the browser. */
export const auditFamilies = {
  group: ["group"],
  message: ["message"],
  vehicle_data: ["vehicle-data"],
  module_config: ["module_config"],
  app: ["app", "application"],
  release: ["release", "releases", "scheduled", "approval", "production"],
  access: ["login", "token"],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type AuditFamily = keyof typeof auditFamilies;
