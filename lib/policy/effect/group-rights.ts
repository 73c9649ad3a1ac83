import type { IsUsableParameter } from "@/lib/policy/table/functional-groupings";
import { byCodeUnit } from "@/lib/words/order";
import type { SnapshotGroup } from "@/lib/policy/table/snapshot";
import { allowRegistration } from "@/lib/policy/checks/table-faults";
import { type HmiLevel, hmiLevels, registrationRpc } from "@/lib/words/vocabulary";

/** One thing that a group allows: an RPC at a level, or a parameter of an RPC. Equal rights are one object. */
export interface Right {
  readonly rpc: string;
  /** Null for a parameter. */
  readonly level: HmiLevel | null;
  /** Null for an RPC at a level. */
  readonly parameter: string | null;
}

/** Everything that a group allows. */
export interface GroupRights {
  readonly all: ReadonlySet<Right>;
  /** Equal for groups that allow the same. */
  readonly key: string;
}

/** Keeps one object for each right, so that sets of rights can be compared. */
export class RightTable {
  readonly #rights = new Map<string, Right>();

  get(rpc: string, level: HmiLevel | null, parameter: string | null): Right {
    const key = JSON.stringify([rpc, level, parameter]);
    const known = this.#rights.get(key);
    if (known !== undefined) return known;
    const right = { rpc, level, parameter };
    this.#rights.set(key, right);
    return right;
  }
}

/** What a group allows in policy tables: RPCs with a level, and the parameters that count (rules F5 and F6). */
export function listRights(group: SnapshotGroup, isUsable: IsUsableParameter, table: RightTable): GroupRights {
  const rpcs = group.rpcs.filter(({ levels }) => levels.length > 0).toSorted((a, b) => byCodeUnit(a.name, b.name));
  const rights = rpcs.flatMap(({ name, levels, parameters }) => [
    ...hmiLevels.filter((level) => levels.includes(level)).map((level) => table.get(name, level, null)),
    ...parameters
      .filter((key) => isUsable(group, name, key))
      .toSorted(byCodeUnit)
      .map((key) => table.get(name, null, key)),
  ]);
  const all = new Set(rights);
  return { all, key: JSON.stringify([...all]) };
}

/** Whether apps can register (rule G10): every app gets its right to from the groups that every app has. */
export function allowsRegistration(groups: readonly SnapshotGroup[]): boolean {
  return groups.some(
    ({ isDefault, isDeleted, rpcs }) =>
      isDefault && !isDeleted && rpcs.some(({ name, levels }) => name === registrationRpc && allowRegistration(levels)),
  );
}
