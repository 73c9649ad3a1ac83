import "server-only";
import { findHeadIds } from "@/lib/db/heads";
import { byLowerCase } from "@/lib/words/order";
import { type Environment } from "@/lib/words/vocabulary";
import { type GroupLink } from "@/lib/vehicle-data/console-rows";
import { FunctionalGroupModel } from "@/models/functional-group";

interface UsingGroup {
  readonly _id: number;
  readonly name: string;
  readonly isDeleted: boolean;
  readonly rpcs: readonly { readonly parameters?: readonly string[] }[];
}

/** Finds the functional groups of a view that grant items, by the name of the item; groups marked for deletion do not. */
export async function findGroupsUsing(
  names: readonly string[],
  environment: Environment,
): Promise<ReadonlyMap<string, readonly GroupLink[]>> {
  const using = new Map<string, GroupLink[]>();
  if (names.length === 0) return using;
  const ids = await findHeadIds("groups", environment);
  const groups = await FunctionalGroupModel.find(
    { _id: { $in: ids }, "rpcs.parameters": { $in: [...names] } },
    { name: 1, isDeleted: 1, "rpcs.parameters": 1 },
  ).lean<readonly UsingGroup[]>();
  const wanted = new Set(names);
  for (const { _id, name, isDeleted, rpcs } of groups.toSorted((a, b) => byLowerCase(a.name, b.name))) {
    if (isDeleted) continue;
    for (const parameter of new Set(rpcs.flatMap(({ parameters = [] }) => parameters))) {
      if (wanted.has(parameter)) using.set(parameter, [...(using.get(parameter) ?? []), { id: _id, name }]);
    }
  }
  return using;
}
