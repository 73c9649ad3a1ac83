import "server-only";
import { loadParameterSources } from "@/lib/content/groups/parameter-sources";
import { byLowerCase } from "@/lib/labels/order";
import type { SnapshotGroup } from "@/lib/policy/table/snapshot";
import { vehicleDataRpcs } from "@/lib/labels/vocabulary";
import type { FoundPermission } from "@/lib/console/search/schema";
import { PermissionModel } from "@/models/permission";

export type PermissionName = Pick<FoundPermission, "name" | "type" | "parents">;

/**
 * Lists the names of RPCs and parameters that the directory reports, the RPC specification and custom vehicle data have,
 * or groups hold already.
 *
 * @param groups those that staging shows
 */
export async function listPermissionNames(groups: readonly Pick<SnapshotGroup, "rpcs">[]): Promise<PermissionName[]> {
  const [known, { rpcSpec, vehicleData }] = await Promise.all([
    PermissionModel.find({ type: { $in: ["RPC", "PARAMETER"] } }, { name: 1, type: 1, parents: 1 }).lean(),
    loadParameterSources(),
  ]);
  const names = new Map<string, { type: PermissionName["type"]; parents: Set<string> }>();
  const add = (name: string, type: PermissionName["type"], parents: readonly string[] = []) => {
    const one = names.get(name);
    if (one === undefined) names.set(name, { type, parents: new Set(parents) });
    else for (const parent of parents) one.parents.add(parent);
  };
  for (const { name, type, parents } of known) add(name, type === "RPC" ? "RPC" : "PARAMETER", parents);
  // Its parameters are more than what groups can hold: those that can be are known to the directory.
  for (const { name } of rpcSpec?.functions ?? []) if (!names.has(name)) add(name, "RPC");
  for (const { name, isDeleted } of vehicleData.staging) if (!isDeleted) add(name, "PARAMETER", vehicleDataRpcs);
  for (const { rpcs } of groups) {
    for (const { name, parameters } of rpcs) {
      if (!names.has(name)) add(name, "RPC");
      for (const parameter of parameters) if (!names.has(parameter)) add(parameter, "PARAMETER", [name]);
    }
  }
  return [...names]
    .map(([name, { type, parents }]) => ({ name, type, parents: type === "RPC" ? [] : [...parents] }))
    .sort((a, b) => byLowerCase(a.name, b.name));
}
