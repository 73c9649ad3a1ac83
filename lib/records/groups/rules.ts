import type { IsUsableParameter } from "@/lib/policy/table/functional-groupings";
import { groupFlags } from "@/lib/vocabulary/group-flags";
import { recordOf } from "@/lib/vocabulary/members";
import { distinct } from "@/lib/vocabulary/order";
import type { SnapshotGroup, SnapshotRpc } from "@/lib/policy/table/snapshot";
import type { HmiLevel, RecordStatus } from "@/lib/vocabulary/terms";

export interface GroupRecord extends SnapshotGroup {
  readonly description: string | null;
}

export interface StoredGroup extends GroupRecord {
  readonly createdAt: Date;
}

export type GroupContent = Omit<GroupRecord, "id" | "status">;

export interface ConsentPrompt {
  readonly id: number;
  readonly category: string;
  readonly status: RecordStatus;
}

export interface Vocabulary {
  readonly rpcs: readonly string[];
  readonly parameters: ReadonlyMap<string, readonly string[]>;
  readonly customData: readonly string[];
}

export const emptyGroup: GroupContent = {
  name: "",
  description: "",
  isDeleted: false,
  ...recordOf(groupFlags, () => false),
  userConsentPrompt: null,
  rpcs: [],
};

/** Counts the distinct usable parameters of a group over all its RPCs (`api.md` 11.2). */
export function countParameters(group: Pick<GroupRecord, "status" | "rpcs">, isUsable: IsUsableParameter): number {
  const usable = group.rpcs.flatMap(({ name, parameters }) => parameters.filter((key) => isUsable(group, name, key)));
  return new Set(usable).size;
}

/** Merges entries of the same RPC and drops those without a level (`api.md` 11.4). Keeps the order of first mention. */
export function mergeRpcs(rpcs: readonly SnapshotRpc[]): SnapshotRpc[] {
  const merged = new Map<string, { levels: Set<HmiLevel>; parameters: Set<string> }>();
  for (const { name, levels, parameters } of rpcs) {
    const rpc = merged.get(name) ?? { levels: new Set(), parameters: new Set() };
    levels.forEach((level) => rpc.levels.add(level));
    parameters.forEach((key) => rpc.parameters.add(key));
    merged.set(name, rpc);
  }
  return Array.from(merged, ([name, rpc]) => ({
    name,
    levels: [...rpc.levels],
    parameters: [...rpc.parameters],
  })).filter(({ levels }) => levels.length > 0);
}

export function readSelectedRpcs(rpcs: readonly SubmittedRpc[]): SnapshotRpc[] {
  const isSelected = ({ selected }: { readonly selected: boolean }) => selected;
  return mergeRpcs(
    rpcs.filter(isSelected).map(({ name, hmi_levels, parameters }) => ({
      name,
      levels: hmi_levels.filter(isSelected).map(({ value }) => value),
      parameters: parameters.filter(isSelected).map(({ key }) => key),
    })),
  );
}

/** Levels in the order of the API, from the most to the least visible, which is not that of a table (`api.md` 11.2). */
export const levelOrder = ["FULL", "LIMITED", "BACKGROUND", "NONE"] as const satisfies readonly HmiLevel[];

/** The form of a `POST groups` body. */
export function toSubmittedRpc({ name, levels, parameters }: SnapshotRpc): SubmittedRpc {
  const selected = true;
  return {
    name,
    selected,
    hmi_levels: levelOrder.filter((one) => levels.includes(one)).map((value) => ({ value, selected })),
    parameters: parameters.map((key) => ({ key, selected })),
  };
}

interface SubmittedRpc {
  readonly name: string;
  readonly selected: boolean;
  readonly hmi_levels: readonly { readonly value: HmiLevel; readonly selected: boolean }[];
  readonly parameters: readonly { readonly key: string; readonly selected: boolean }[];
}

/** Parameters that are usable only in staging. Production would silently drop them. */
export function listLostParameters({ rpcs }: Pick<GroupRecord, "rpcs">, isUsable: IsUsableParameter): string[] {
  const lost = rpcs.flatMap(({ name, parameters }) =>
    parameters.filter(
      (key) => isUsable({ status: "STAGING" }, name, key) && !isUsable({ status: "PRODUCTION" }, name, key),
    ),
  );
  return distinct(lost);
}
