import "server-only";
import { groupSource } from "@/lib/content/groups/queries";
import { findUnmapped, type UnmappedPermission } from "@/lib/content/permissions/rules";
import { byCodeUnit } from "@/lib/labels/order";
import type { Environment } from "@/lib/labels/vocabulary";
import { loadPage, type Page, type Paging } from "@/lib/content/records/page";
import { loadNewest } from "@/lib/content/records/queries";
import { PermissionModel } from "@/models/permission";

/** Permissions without a group, and how many there are of each kind whatever the page. */
export interface UnmappedPermissions extends Page<UnmappedPermission> {
  readonly rpcCount: number;
  readonly parameterCount: number;
}

/** Lists the permissions that no functional group of a view contains (`api.md` 10.2). */
export async function listUnmappedPermissions(
  query: { readonly environment: Environment } & Paging,
): Promise<UnmappedPermissions> {
  const groups = await loadNewest(groupSource, query.environment);
  const stored = await PermissionModel.find({ type: { $in: ["RPC", "PARAMETER"] } }, { name: 1, type: 1 }).lean();
  const unmapped = findUnmapped(
    stored.map(({ _id, name, type }) => ({ id: _id, name, type })),
    groups,
  );
  const page = await loadPage<UnmappedPermission>({
    heads: unmapped.map(({ id, name }) => ({ id, key: name })),
    paging: query,
    compareKeys: byCodeUnit,
    load: (ids) => Promise.resolve(selectById(unmapped, ids)),
    isShown: () => true,
    searchTexts: ({ name }) => [name],
  });
  const rpcCount = unmapped.filter(({ type }) => type === "RPC").length;
  return { ...page, rpcCount, parameterCount: unmapped.length - rpcCount };
}

function selectById(permissions: readonly UnmappedPermission[], ids: readonly number[]): UnmappedPermission[] {
  const wanted = new Set(ids);
  return permissions.filter(({ id }) => wanted.has(id));
}
