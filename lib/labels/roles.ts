/** Roles, from the one that may least (`people.md` section 2). Each may do what those before it may. */
export const roles = ["viewer", "editor", "publisher", "admin"] as const;
export type Role = (typeof roles)[number];

/** What a route or page needs (rule P7), in the order of the roles that may do it. */
export const needs = ["read", "edit", "publish", "administer"] as const;
export type Need = (typeof needs)[number];

/** The least role that may do it. */
export const roleFor = {
  read: "viewer",
  edit: "editor",
  publish: "publisher",
  administer: "admin",
} as const satisfies Readonly<Record<Need, Role>>;

/** Whether somebody may do what is needed. Without a role nobody may do anything. */
export function mayDo(role: Role | null, need: Need): boolean {
  return role !== null && roles.indexOf(role) >= roles.indexOf(roleFor[need]);
}

/** The greatest of some roles (rule P3), or null when there are none. */
export function greatestRole(held: Iterable<Role>): Role | null {
  const own = new Set(held);
  return roles.findLast((role) => own.has(role)) ?? null;
}

/** Which groups have which role. */
export type RoleMap = Readonly<Record<Role, readonly string[]>>;

/** The greatest role that any of somebody's groups has (rule P3), or null. */
export function roleOfGroups(groups: Iterable<string>, map: RoleMap): Role | null {
  const own = new Set(groups);
  return greatestRole(roles.filter((role) => map[role].some((group) => own.has(group))));
}

/** With its article: "a viewer", "an editor". */
export function describeRole(role: Role): string {
  return `${/^[ae]/.test(role) ? "an" : "a"} ${role}`;
}
