import { byCodeUnit } from "@/lib/labels/order";
import type { SnapshotGroup, SnapshotPermission } from "@/lib/policy/table/snapshot";

export interface UnmappedPermission {
  readonly id: number;
  readonly name: string;
  readonly type: "RPC" | "PARAMETER";
}

/**
 * Finds the permissions that no group of a view contains, ascending by name (`api.md` 10.2). A module is no member of a
 * group, so it is never unmapped.
 *
 * @param groups the records of the view; deleted ones do not count
 */
export function findUnmapped(
  permissions: readonly (Pick<SnapshotPermission, "name" | "type"> & { readonly id: number })[],
  groups: readonly Pick<SnapshotGroup, "isDeleted" | "rpcs">[],
): UnmappedPermission[] {
  const rpcs = groups.filter(({ isDeleted }) => !isDeleted).flatMap((group) => group.rpcs);
  const mapped = new Set(
    rpcs.filter(({ levels }) => levels.length > 0).flatMap(({ name, parameters }) => [name, ...parameters]),
  );
  return permissions
    .flatMap(({ id, name, type }) => (type === "MODULE" || mapped.has(name) ? [] : [{ id, name, type }]))
    .sort((a, b) => byCodeUnit(a.name, b.name));
}
