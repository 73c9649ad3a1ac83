/** Lowest first (`people.md` section 2); each includes those before it. */
export const roles = ["viewer", "editor", "publisher", "admin"] as const;
export type Role = (typeof roles)[number];

/** What a route or page requires (rule P7), in the order of the roles. */
export const needs = ["read", "edit", "publish", "administer"] as const;
export type Need = (typeof needs)[number];

export const roleFor = {
  read: "viewer",
  edit: "editor",
  publish: "publisher",
  administer: "admin",
} as const satisfies Readonly<Record<Need, Role>>;

/** Pages that need more than reading. */
const pageNeeds: ReadonlyMap<string, Need> = new Map([["/access", "administer"]]);

/** Pages check it; navigation and search leave out pages that the reader can't open. */
export function needOfPage(path: string): Need {
  return pageNeeds.get(path) ?? "read";
}

/** Without a role, nothing is allowed. */
export function mayDo(role: Role | null, need: Need): boolean {
  return role !== null && roles.indexOf(role) >= roles.indexOf(roleFor[need]);
}

/** Rule P3; null: none. */
export function greatestRole(held: Iterable<Role>): Role | null {
  const own = new Set(held);
  return roles.findLast((role) => own.has(role)) ?? null;
}

export type RoleMap = Readonly<Record<Role, readonly string[]>>;

/** Rule P3; null: none. */
export function roleOfGroups(groups: Iterable<string>, map: RoleMap): Role | null {
  const own = new Set(groups);
  return greatestRole(roles.filter((role) => map[role].some((group) => own.has(group))));
}

/** "a viewer", "an editor" */
export function describeRole(role: Role): string {
  return `${/^[ae]/.test(role) ? "an" : "a"} ${role}`;
}
