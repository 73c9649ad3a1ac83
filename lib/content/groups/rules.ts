import type { IsUsableParameter } from "@/lib/policy/table/functional-groupings";
import { groupFlags } from "@/lib/labels/group-flags";
import { recordOf } from "@/lib/labels/members";
import { byCodeUnit, distinct } from "@/lib/labels/order";
import type { SnapshotGroup, SnapshotRpc } from "@/lib/policy/table/snapshot";
import { vehicleDataRpcs, type HmiLevel, type RecordStatus } from "@/lib/labels/vocabulary";

/** A stored functional group. */
export interface GroupRecord extends SnapshotGroup {
  readonly description: string | null;
}

/** The same with the time it was stored at. */
export interface StoredGroup extends GroupRecord {
  readonly createdAt: Date;
}

/** What a save decides; id, status and times come with the record. */
export type GroupContent = Omit<GroupRecord, "id" | "status">;

/** The message a group asks its driver with, as far as it can be shown in a view. */
export interface ConsentPrompt {
  readonly id: number;
  readonly category: string;
  readonly status: RecordStatus;
}

/** A group as lists show it: its RPCs are counted. */
export interface GroupSummary extends Omit<GroupRecord, "status" | "rpcs" | "userConsentPrompt"> {
  /** Empty in the template. */
  readonly status: RecordStatus | "";
  readonly prompt: ConsentPrompt | null;
  readonly selectedRpcCount: number;
  readonly selectedParameterCount: number;
}

export interface RpcChoice {
  readonly name: string;
  readonly isSelected: boolean;
  readonly levels: readonly HmiLevel[];
  readonly parameters: readonly ParameterChoice[];
}

export interface ParameterChoice {
  readonly key: string;
  readonly isCustom: boolean;
  readonly isSelected: boolean;
}

/** A group with all that could be in it. */
export interface GroupDetail extends GroupSummary {
  readonly rpcs: readonly RpcChoice[];
}

/** What a group may hold: known RPCs, known parameters by RPC, and names of custom vehicle data. */
export interface Vocabulary {
  readonly rpcs: readonly string[];
  readonly parameters: ReadonlyMap<string, readonly string[]>;
  readonly customData: readonly string[];
}

/** The group of the template form, before anything is chosen (`api.md` 11.2). */
export const emptyGroup: Omit<GroupSummary, "prompt" | "selectedRpcCount" | "selectedParameterCount"> = {
  id: 0,
  name: "",
  description: "",
  status: "",
  isDeleted: false,
  ...recordOf(groupFlags, () => false),
};

/** Counts the distinct usable parameters of a group over all its RPCs (`api.md` 11.2, rule F5). */
export function countParameters(group: GroupRecord, isUsable: IsUsableParameter): number {
  const usable = group.rpcs.flatMap(({ name, parameters }) => parameters.filter((key) => isUsable(group, name, key)));
  return new Set(usable).size;
}

/** Everything that lists say about a group; `prompt` is the one of the view asked for. */
export function buildGroupSummary(
  group: GroupRecord,
  prompt: ConsentPrompt | null,
  isUsable: IsUsableParameter,
): GroupSummary {
  const { rpcs, userConsentPrompt: _, ...rest } = group;
  return {
    ...rest,
    prompt,
    selectedRpcCount: rpcs.filter(({ levels }) => levels.length > 0).length,
    selectedParameterCount: countParameters(group, isUsable),
  };
}

/** All RPCs that are known or stored in the group, with what it holds of them, by name (`api.md` 11.2). */
export function buildRpcChoices(stored: readonly SnapshotRpc[], vocabulary: Vocabulary): RpcChoice[] {
  const byName = new Map(stored.map((rpc) => [rpc.name, rpc]));
  const names = new Set([...vocabulary.rpcs, ...byName.keys()]);
  return [...names].sort(byCodeUnit).map((name) => {
    const rpc = byName.get(name);
    return {
      name,
      isSelected: rpc !== undefined,
      levels: rpc?.levels ?? [],
      parameters: buildParameterChoices(name, rpc?.parameters ?? [], vocabulary),
    };
  });
}

const vehicleDataRpcNames: ReadonlySet<string> = new Set(vehicleDataRpcs);

function buildParameterChoices(rpc: string, stored: readonly string[], vocabulary: Vocabulary): ParameterChoice[] {
  const selected = new Set(stored);
  const known = new Set(vocabulary.parameters.get(rpc));
  const possible = vehicleDataRpcNames.has(rpc) ? vocabulary.customData : [];
  const custom = new Set(possible.filter((key) => !known.has(key)));
  const plain = [...known, ...stored.filter((key) => !known.has(key) && !custom.has(key))];
  const choice = (isCustom: boolean) => (key: string) => ({ key, isCustom, isSelected: selected.has(key) });
  return [
    ...[...new Set(plain)].sort(byCodeUnit).map(choice(false)),
    ...[...custom].sort(byCodeUnit).map(choice(true)),
  ];
}

/** Merges elements of the same RPC, and drops those without a level (`api.md` 11.4); order of first mention. */
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

/** The RPCs of a body of `POST groups` with what is selected in them; nothing twice. */
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

interface SubmittedRpc {
  readonly name: string;
  readonly selected: boolean;
  readonly hmi_levels: readonly { readonly value: HmiLevel; readonly selected: boolean }[];
  readonly parameters: readonly { readonly key: string; readonly selected: boolean }[];
}

/** Parameters that count in staging only (rule F5): production would leave them out without a word. */
export function listLostParameters({ rpcs }: Pick<GroupRecord, "rpcs">, isUsable: IsUsableParameter): string[] {
  const lost = rpcs.flatMap(({ name, parameters }) =>
    parameters.filter(
      (key) => isUsable({ status: "STAGING" }, name, key) && !isUsable({ status: "PRODUCTION" }, name, key),
    ),
  );
  return distinct(lost);
}
