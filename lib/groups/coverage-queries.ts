import "server-only";
import { requireDatabase } from "@/lib/db/connection/connect";
import { findHeadIds } from "@/lib/db/heads";
import { readGroups } from "@/lib/groups/record-cache";
import { findUncovered, listMapped, type UncoveredPermission } from "@/lib/groups/coverage";
import { PermissionModel } from "@/models/permission";

/**
 * Lists the permissions that no group contains, for both views at once.
 *
 * @throws DatabaseUnavailable
 */
export async function listUncovered(): Promise<UncoveredPermission[]> {
  await requireDatabase();
  const [staging, production, known] = await Promise.all([
    findHeadIds("groups", "staging"),
    findHeadIds("groups", "production"),
    PermissionModel.find({ type: { $in: ["RPC", "PARAMETER"] } }, { name: 1, type: 1, parents: 1, isActive: 1 }).lean(),
  ]);
  // Most records belong to both views.
  const groups = await readGroups([...new Set([...staging, ...production])]);
  const byId = new Map(groups.map((group) => [group.id, group]));
  const mappedBy = (ids: readonly number[]) => listMapped(ids.flatMap((id) => byId.get(id) ?? []));
  return findUncovered(
    known.map(({ name, type, parents, isActive }) => ({ name, type, parents, isReported: isActive })),
    { staging: mappedBy(staging), production: mappedBy(production) },
  );
}
