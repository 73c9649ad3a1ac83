/** Roles, lowest first (`people.md` section 2). Each includes those before it. */
export const roles = ["viewer", "editor", "publisher", "admin"] as const;
export type Role = (typeof roles)[number];

/** What a route or page requires (rule P7), in the order of the roles. */
export const needs = ["read", "edit", "publish", "administer"] as const;
export type Need = (typeof needs)[number];

/** The lowest role that may do it. */
export const roleFor = {
  read: "viewer",
  edit: "editor",
  publish: "publisher",
  administer: "admin",
} as const satisfies Readonly<Record<Need, Role>>;

/** What opening a page of the console requires, where it is more than reading. */
const pageNeeds: ReadonlyMap<string, Need> = new Map([["/access", "administer"]]);

/** What opening a page requires. Pages check it, and navigation and search offer no page that the reader can't open. */
export function needOfPage(path: string): Need {
  return pageNeeds.get(path) ?? "read";
}

/** Whether a role may do what is required. Without a role, nothing is allowed. */
export function mayDo(role: Role | null, need: Need): boolean {
  return role !== null && roles.indexOf(role) >= roles.indexOf(roleFor[need]);
}

/** The highest of some roles (rule P3); null: none. */
export function greatestRole(held: Iterable<Role>): Role | null {
  const own = new Set(held);
  return roles.findLast((role) => own.has(role)) ?? null;
}

/** The groups of each role. */
export type RoleMap = Readonly<Record<Role, readonly string[]>>;

/** The highest role of a user's groups (rule P3), or null. */
export function roleOfGroups(groups: Iterable<string>, map: RoleMap): Role | null {
  const own = new Set(groups);
  return greatestRole(roles.filter((role) => map[role].some((group) => own.has(group))));
}

/** With its article: "a viewer", "an editor". */
export function describeRole(role: Role): string {
  return `${/^[ae]/.test(role) ? "an" : "a"} ${role}`;
}
