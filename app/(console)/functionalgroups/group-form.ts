import type { RecordFamily } from "@/app/_records/family";
import { recordKinds } from "@/app/_records/kinds";
import type { SnapshotRpc } from "@/lib/policy/table/snapshot";
import { levelOrder, toSubmittedRpc } from "@/lib/records/groups/rules";
import type { toSaveBody } from "@/lib/records/groups/wire";
import { grantFlags, grantKinds, type GroupFlags, groupGrants } from "@/lib/vocabulary/group-flags";
import { recordOf, type SnakeMembers, snakeName } from "@/lib/vocabulary/members";
import type { HmiLevel } from "@/lib/vocabulary/terms";

export type RpcRule = Omit<SnapshotRpc, "name">;

/** Each RPC is a member, so that changes and conflicts show RPC by RPC. */
type RpcMember = `rpc:${string}`;

/** An RPC that is not in the group is null. */
export type GroupForm = SnakeMembers<GroupFlags> & {
  readonly name: string;
  readonly description: string;
  readonly user_consent_prompt: string | null;
} & { readonly [rpc: RpcMember]: RpcRule | null };

const flagMembers = (["encryptionRequired", ...grantFlags] as const).map(snakeName);

export const rpcMember = (name: string): RpcMember => `rpc:${name}`;
const isRpcMember = (member: string): member is RpcMember => member.startsWith("rpc:");

/** A body, or the answer of the API. */
export type FormSource = Omit<ReturnType<typeof toSaveBody>, "is_deleted">;

/** `known`: the RPCs that the reader can add. */
export function toForm(group: FormSource, known: readonly { readonly name: string }[] = []): GroupForm {
  const rpcs = group.rpcs.map(({ name, selected, hmi_levels, parameters }) => {
    const levels = orderLevels(hmi_levels.flatMap((level) => (level.selected ? [level.value] : [])));
    const chosen = parameters.filter((parameter) => parameter.selected).map(({ key }) => key);
    return [rpcMember(name), selected ? { levels, parameters: chosen.toSorted() } : null] as const;
  });
  return {
    name: group.name,
    description: group.description ?? "",
    user_consent_prompt: group.user_consent_prompt,
    ...recordOf(flagMembers, (member) => group[member]),
    ...recordOf(
      known.map(({ name }) => rpcMember(name)),
      () => null,
    ),
    ...(Object.fromEntries(rpcs) as Record<RpcMember, RpcRule | null>),
  };
}

export const emptyForm: GroupForm = {
  name: "",
  description: "",
  user_consent_prompt: null,
  ...recordOf(flagMembers, () => false),
};

export function listRules(form: GroupForm): [name: string, rule: RpcRule][] {
  return Object.keys(form)
    .filter(isRpcMember)
    .flatMap((member): [string, RpcRule][] => {
      const rule = form[member];
      return rule ? [[member.slice("rpc:".length), rule]] : [];
    })
    .sort(([a], [b]) => (a < b ? -1 : 1));
}

/** Null removes an RPC. */
export function withRules(form: GroupForm, rules: Readonly<Record<string, RpcRule | null>>): GroupForm {
  const members = Object.entries(rules).map(([name, rule]) => [rpcMember(name), rule] as const);
  return { ...form, ...(Object.fromEntries(members) as Record<RpcMember, RpcRule | null>) };
}

export function toBody(form: GroupForm, baseId: number | null, isDeleted = false) {
  return {
    name: form.name.trim(),
    description: form.description.trim() === "" ? null : form.description,
    user_consent_prompt: form.user_consent_prompt,
    ...recordOf(flagMembers, (member) => form[member]),
    is_deleted: isDeleted,
    base_id: baseId,
    rpcs: listRules(form).map(([name, rule]) => toSubmittedRpc({ name, ...rule })),
  };
}

export function buildLabels(form: GroupForm): Record<string, string> {
  const grants = grantKinds.map((kind) => [snakeName(groupGrants[kind].flag), groupGrants[kind].label] as const);
  const rpcs = Object.keys(form).filter(isRpcMember);
  return {
    name: "Name",
    description: "Description",
    user_consent_prompt: "Consent prompt",
    encryption_required: "Encryption",
    ...Object.fromEntries(grants),
    ...Object.fromEntries(rpcs.map((member) => [member, member.slice("rpc:".length)])),
  };
}

export interface WantedPermission {
  readonly name: string;
  readonly type: "RPC" | "PARAMETER";
  readonly parents: readonly string[];
}

/**
 * Existing RPCs keep their levels. A parameter is added with all of its RPCs, because apps need all of them to read it.
 */
export function addPermissions(
  form: GroupForm,
  wanted: readonly WantedPermission[],
  levels: readonly HmiLevel[],
): GroupForm {
  const rules: Record<string, RpcRule> = {};
  const ruleOf = (name: string): RpcRule =>
    rules[name] ?? form[rpcMember(name)] ?? { levels: orderLevels(levels), parameters: [] };
  for (const { name, type, parents } of wanted) {
    if (type === "RPC") rules[name] = ruleOf(name);
    else {
      for (const parent of parents) {
        const rule = ruleOf(parent);
        rules[parent] = { ...rule, parameters: [...new Set([...rule.parameters, name])].toSorted() };
      }
    }
  }
  return withRules(form, rules);
}

export const levelLabels = {
  FULL: "Full: the app fills the screen.",
  LIMITED: "Limited: the app is active without the screen, as a navigation or media app may be.",
  BACKGROUND: "Background: the app runs, the driver uses something else.",
  NONE: "None: the app is connected, but the driver has not started it.",
} as const satisfies Record<HmiLevel, string>;

export function fromLevelUp(level: HmiLevel): HmiLevel[] {
  return levelOrder.slice(0, levelOrder.indexOf(level) + 1);
}

export function orderLevels(levels: Iterable<HmiLevel>): HmiLevel[] {
  const set = new Set(levels);
  return levelOrder.filter((level) => set.has(level));
}

/** A level is missing above a set one: allowed, but rarely intended. */
export function hasGap(levels: readonly HmiLevel[]): boolean {
  return fillGap(levels).length > levels.length;
}

export function fillGap(levels: readonly HmiLevel[]): HmiLevel[] {
  const last = levelOrder.findLast((level) => levels.includes(level));
  return last === undefined ? [] : fromLevelUp(last);
}

export const groupFamily: RecordFamily<GroupForm> = {
  ...recordKinds.groups,
  api: "/api/v1/groups",
  draftPrefix: "group",
  nameOf: ({ name }) => name.trim(),
  toBody,
  toForm: (body) => toForm(body as FormSource),
};
