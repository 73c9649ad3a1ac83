import { levelOrder, orderLevels } from "@/app/(console)/functionalgroups/levels";
import type { GroupBody } from "@/lib/content/groups/answer-schema";
import { grantFlags, grantKinds, type GroupFlags, groupGrants } from "@/lib/labels/group-flags";
import { recordOf, type SnakeMembers, snakeName } from "@/lib/labels/members";
import type { HmiLevel } from "@/lib/labels/vocabulary";

export interface RpcRule {
  readonly levels: readonly HmiLevel[];
  readonly parameters: readonly string[];
}

/** RPCs are members of their own, so that changes and conflicts are told RPC by RPC. */
export type RpcMember = `rpc:${string}`;

/** A group as it is edited; an RPC that the group does not hold is null. */
export type GroupForm = SnakeMembers<GroupFlags> & {
  readonly name: string;
  readonly description: string;
  readonly user_consent_prompt: string | null;
} & { readonly [rpc: RpcMember]: RpcRule | null };

/** The flags of a group, as the form shows them. */
const flagMembers = (["encryptionRequired", ...grantFlags] as const).map(snakeName);

export const rpcMember = (name: string): RpcMember => `rpc:${name}`;
const isRpcMember = (member: string): member is RpcMember => member.startsWith("rpc:");

export type FormSource = Omit<GroupBody, "id" | "is_deleted">;

/** The group as the API gives it, with its levels exactly as they are. */
export function toForm(group: FormSource, storedPrompt: string | null = group.user_consent_prompt): GroupForm {
  const rpcs = group.rpcs.map(({ name, selected, hmi_levels, parameters }) => {
    const levels = orderLevels(hmi_levels.flatMap((level) => (level.selected ? [level.value] : [])));
    const chosen = parameters.filter((parameter) => parameter.selected).map(({ key }) => key);
    return [rpcMember(name), selected ? { levels, parameters: chosen.toSorted() } : null] as const;
  });
  return {
    name: group.name,
    description: group.description ?? "",
    user_consent_prompt: storedPrompt,
    ...recordOf(flagMembers, (member) => group[member]),
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

/** The form with some RPCs changed; null takes one out. */
export function withRules(form: GroupForm, rules: Readonly<Record<string, RpcRule | null>>): GroupForm {
  const members = Object.entries(rules).map(([name, rule]) => [rpcMember(name), rule] as const);
  return { ...form, ...(Object.fromEntries(members) as Record<RpcMember, RpcRule | null>) };
}

/** The body of `POST groups`. */
export function toBody(form: GroupForm, baseId: number | null, isDeleted = false) {
  return {
    name: form.name.trim(),
    description: form.description.trim() === "" ? null : form.description,
    user_consent_prompt: form.user_consent_prompt,
    ...recordOf(flagMembers, (member) => form[member]),
    is_deleted: isDeleted,
    base_id: baseId,
    rpcs: listRules(form).map(([name, { levels, parameters }]) => ({
      name,
      selected: true,
      hmi_levels: levelOrder.filter((one) => levels.includes(one)).map((value) => ({ value, selected: true })),
      parameters: parameters.map((key) => ({ key, selected: true })),
    })),
  };
}

/** Names of members for summaries; RPCs stand under their own. */
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
