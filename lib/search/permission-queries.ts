import "server-only";
import { loadParameterSources } from "@/lib/groups/parameter-sources";
import { type StoredGroup } from "@/lib/groups/record-cache";
import { byLowerCase } from "@/lib/policy/order";
import { vehicleDataRpcs } from "@/lib/policy/vocabulary";
import { type FoundPermission, type SearchAnswer } from "@/lib/search/answer-schema";
import { rank } from "@/lib/search/rank";
import { countRequests } from "@/lib/search/request-counts";
import { PermissionModel } from "@/models/permission";

type Name = Pick<FoundPermission, "name" | "type" | "parents">;

/**
 * Searches the names of RPCs and parameters, and tells of each in which groups it is and how many apps request it.
 *
 * @param groups the groups that staging shows
 * @param limit how many names, and how many groups of each, at most
 */
export async function findBestPermissions(
  q: string,
  groups: readonly StoredGroup[],
  limit: number,
): Promise<SearchAnswer["permissions"]> {
  const found = rank(await listNames(groups), q, ({ name }) => [name]);
  const best = found.slice(0, limit);
  const totals = await countRequests(best.map(({ name }) => name));
  return {
    items: best.map((one, at) => ({
      ...one,
      groups: listContaining(groups, one, limit),
      application_total: totals[at] ?? 0,
    })),
    total: found.length,
  };
}

/** By what the directory reports, the RPC specification and custom vehicle data say, and groups hold already. */
async function listNames(groups: readonly StoredGroup[]): Promise<Name[]> {
  const [known, { rpcSpec, vehicleData }] = await Promise.all([
    PermissionModel.find({ type: { $in: ["RPC", "PARAMETER"] } }, { name: 1, type: 1, parents: 1 }).lean(),
    loadParameterSources(),
  ]);
  const names = new Map<string, { type: Name["type"]; parents: Set<string> }>();
  const add = (name: string, type: Name["type"], parents: readonly string[] = []) => {
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

/** As the console's list of groups narrows itself to an RPC or a parameter. */
function listContaining(groups: readonly StoredGroup[], { name, type }: Name, limit: number) {
  const holding = groups.filter(({ rpcs }) =>
    rpcs.some((rpc) => (type === "RPC" ? rpc.name === name : rpc.parameters.includes(name))),
  );
  const first = holding.toSorted((a, b) => byLowerCase(a.name, b.name)).slice(0, limit);
  return { items: first.map(({ id, name: group }) => ({ id, name: group })), total: holding.length };
}
