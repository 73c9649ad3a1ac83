import {
  readSelectedRpcs,
  type GroupContent,
  type GroupDetail,
  type GroupSummary,
  type RpcChoice,
} from "@/lib/content/groups/rules";
import type { SaveGroupBody } from "@/lib/content/groups/schema";
import { type GroupFlags, groupFlags, pickGroupFlags } from "@/lib/labels/group-flags";
import { recordOf, snakeName, toSnakeMembers } from "@/lib/labels/members";
import type { HmiLevel } from "@/lib/labels/vocabulary";

/** Levels in the order of the API, which is not that of a table (`api.md` 11.2). */
const levelOrder = ["FULL", "LIMITED", "BACKGROUND", "NONE"] as const satisfies readonly HmiLevel[];

/** What is true of a group, as the API names it (`api.md` 11.2). */
export function toFlagsJson(group: GroupFlags & { readonly isDeleted: boolean }) {
  return toSnakeMembers({ ...pickGroupFlags(group), isDeleted: group.isDeleted });
}

/** A group object of the API (`api.md` 11.2); `rpcs` is empty in lists. */
export function toGroupJson(group: GroupSummary | GroupDetail) {
  return {
    id: group.id,
    name: group.name,
    description: group.description,
    status: group.status,
    user_consent_prompt: group.prompt?.category ?? null,
    selected_prompt_id: group.prompt?.id ?? null,
    selected_prompt_status: group.prompt?.status ?? null,
    selected_rpc_count: group.selectedRpcCount,
    selected_parameter_count: group.selectedParameterCount,
    ...toFlagsJson(group),
    rpcs: "rpcs" in group ? group.rpcs.map(toRpcJson) : [],
  };
}
export type GroupJson = ReturnType<typeof toGroupJson>;

function toRpcJson({ name, isSelected, levels, parameters }: RpcChoice) {
  return {
    name,
    selected: isSelected,
    hmi_levels: levelOrder.map((level) => ({ name: level, value: level, selected: levels.includes(level) })),
    parameters: parameters.map(({ key, isCustom, isSelected: selected }) => ({
      name: key,
      key,
      is_custom: isCustom,
      selected,
    })),
  };
}

/** What a body of `POST groups` wants to be stored: only what is selected, each RPC once (`api.md` 11.4). */
export function toGroupContent(body: SaveGroupBody): GroupContent {
  return {
    name: body.name,
    description: body.description,
    isDeleted: body.is_deleted,
    ...recordOf(groupFlags, (name) => body[snakeName(name)]),
    userConsentPrompt: body.user_consent_prompt,
    rpcs: readSelectedRpcs(body.rpcs),
  };
}

/** A record as a body of `POST groups`, which stores it again, with its prompt as stored. */
export function toSaveBody(group: GroupContent) {
  return {
    name: group.name,
    description: group.description,
    user_consent_prompt: group.userConsentPrompt,
    ...toFlagsJson(group),
    rpcs: group.rpcs.map(({ name, levels, parameters }) => ({
      name,
      selected: true,
      hmi_levels: levelOrder.filter((one) => levels.includes(one)).map((value) => ({ value, selected: true })),
      parameters: parameters.map((key) => ({ key, selected: true })),
    })),
  };
}
