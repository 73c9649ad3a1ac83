import type { SnapshotGroup } from "@/lib/policy/table/snapshot";
import { byCodeUnit } from "@/lib/vocabulary/order";
import type { Environment } from "@/lib/vocabulary/terms";
import "server-only";
import { requireDatabase } from "@/lib/platform/db/connection/connect";
import { findHeadIds } from "@/lib/platform/db/heads";
import type { UnmappedAnswer } from "@/lib/records/groups/wire";
import { readGroups } from "@/lib/records/groups/record-cache";
import { loadPage, type Paging } from "@/lib/records/store/page";
import { PermissionModel } from "@/models/permission";

export interface UncoveredPermission {
  readonly id: number;
  readonly name: string;
  readonly type: "RPC" | "PARAMETER";
  readonly parents: readonly string[];
  readonly isMapped: Readonly<Record<Environment, boolean>>;
  /** False if the app directory no longer reports it. */
  readonly isReported: boolean;
}

export type KnownPermission = Omit<UncoveredPermission, "type" | "isMapped"> & { readonly type: string };

type ViewGroup = Pick<SnapshotGroup, "isDeleted" | "rpcs">;

export function listMapped(groups: readonly ViewGroup[]): Set<string> {
  const mapped = new Set<string>();
  for (const { isDeleted, rpcs } of groups) {
    if (isDeleted) continue;
    for (const { name, levels, parameters } of rpcs) {
      if (levels.length === 0) continue;
      mapped.add(name);
      for (const key of parameters) mapped.add(key);
    }
  }
  return mapped;
}

/** Permissions that no group contains in at least one view: RPCs before parameters, each by name. */
export function findUncovered(
  permissions: readonly KnownPermission[],
  mapped: Readonly<Record<Environment, ReadonlySet<string>>>,
): UncoveredPermission[] {
  return permissions
    .flatMap(({ type, ...permission }) => {
      const { name } = permission;
      const isMapped = { staging: mapped.staging.has(name), production: mapped.production.has(name) };
      if ((type !== "RPC" && type !== "PARAMETER") || (isMapped.staging && isMapped.production)) return [];
      return [{ ...permission, type, isMapped } satisfies UncoveredPermission];
    })
    .sort((a, b) => byCodeUnit(b.type, a.type) || byCodeUnit(a.name, b.name));
}

export async function listUncovered(): Promise<UncoveredPermission[]> {
  await requireDatabase();
  const [staging, production, known] = await Promise.all([
    findHeadIds("group", "staging"),
    findHeadIds("group", "production"),
    PermissionModel.find({ type: { $in: ["RPC", "PARAMETER"] } }, { name: 1, type: 1, parents: 1, isActive: 1 }).lean(),
  ]);
  // Most records belong to both views.
  const groups = await readGroups([...new Set([...staging, ...production])]);
  const byId = new Map(groups.map((group) => [group.id, group]));
  const mappedBy = (ids: readonly number[]) => listMapped(ids.flatMap((id) => byId.get(id) ?? []));
  return findUncovered(
    known.map(({ _id: id, isActive: isReported, name, type, parents }) => ({ id, name, type, parents, isReported })),
    { staging: mappedBy(staging), production: mappedBy(production) },
  );
}

/** Lists the permissions that no functional group of a view contains (`api.md` 10.2). */
export async function listUnmapped(query: { readonly environment: Environment } & Paging): Promise<UnmappedAnswer> {
  const unmapped = (await listUncovered()).filter(({ isMapped }) => !isMapped[query.environment]);
  const { items, nextCursor } = await loadPage<UncoveredPermission>({
    heads: unmapped.map(({ id, name }) => ({ id, key: name })),
    paging: query,
    compareKeys: byCodeUnit,
    load: (ids) => Promise.resolve(unmapped.filter(({ id }) => ids.includes(id))),
    isShown: () => true,
    searchTexts: ({ name }) => [name],
  });
  return {
    permissions: items.map(({ name, type }) => ({ name, type })),
    unmapped_rpc_count: countOf(unmapped, "RPC"),
    unmapped_parameter_count: countOf(unmapped, "PARAMETER"),
    next_cursor: nextCursor,
  };
}

export function countOf(permissions: readonly UncoveredPermission[], wanted: UncoveredPermission["type"]): number {
  return permissions.filter(({ type }) => type === wanted).length;
}
