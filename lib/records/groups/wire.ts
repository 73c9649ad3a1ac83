import {
  type ConsentPrompt,
  countParameters,
  type GroupContent,
  type GroupRecord,
  levelOrder,
  readSelectedRpcs,
  toSubmittedRpc,
  type Vocabulary,
} from "@/lib/records/groups/rules";
import { byCodeUnit, distinct } from "@/lib/vocabulary/order";
import type { IsUsableParameter } from "@/lib/policy/table/functional-groupings";
import type { SnapshotRpc } from "@/lib/policy/table/snapshot";
import type { SaveGroupBody } from "@/lib/records/groups/schema";
import { type GroupFlags, groupFlags, pickGroupFlags } from "@/lib/vocabulary/group-flags";
import { recordOf, snakeName, toSnakeMembers } from "@/lib/vocabulary/members";
import { environments, hmiLevels, vehicleDataRpcs } from "@/lib/vocabulary/terms";
import { z } from "zod";
import { rejectedCalls } from "@/lib/policy/answer/answer-schema";
import { nextCursor, nullableText, recordStatus } from "@/lib/platform/http/answer-schema";
import { carBuilds } from "@/lib/vocabulary/head-units";

export function toFlagsJson(group: GroupFlags & { readonly isDeleted: boolean }) {
  return toSnakeMembers({ ...pickGroupFlags(group), isDeleted: group.isDeleted });
}

export type UnsavedGroup = GroupContent & Partial<Pick<GroupRecord, "id" | "status">>;

export interface GroupSurroundings {
  readonly prompt: ConsentPrompt | null;
  readonly isUsable: IsUsableParameter;
  /** Undefined for lists, which leave `rpcs` empty. */
  readonly vocabulary?: Vocabulary | undefined;
}

/** A group object of the API (`api.md` 11.2). */
export function toGroupJson(group: UnsavedGroup, { prompt, isUsable, vocabulary }: GroupSurroundings) {
  const { id = 0, status, rpcs } = group;
  return {
    id,
    name: group.name,
    description: group.description,
    status: status ?? ("" as const),
    user_consent_prompt: prompt?.category ?? null,
    selected_prompt_id: prompt?.id ?? null,
    selected_prompt_status: prompt?.status ?? null,
    selected_rpc_count: rpcs.filter(({ levels }) => levels.length > 0).length,
    selected_parameter_count: countParameters({ status: status ?? "STAGING", rpcs }, isUsable),
    ...toFlagsJson(group),
    rpcs: vocabulary === undefined ? [] : buildRpcChoices(rpcs, vocabulary),
  };
}
export type GroupJson = ReturnType<typeof toGroupJson>;

/** All RPCs that are known or stored in the group, marked with what the group contains, by name (`api.md` 11.2). */
export function buildRpcChoices(stored: readonly SnapshotRpc[], vocabulary: Vocabulary) {
  const byName = new Map(stored.map((rpc) => [rpc.name, rpc]));
  const names = distinct([...vocabulary.rpcs, ...byName.keys()]).sort(byCodeUnit);
  return names.map((name) => {
    const rpc = byName.get(name);
    const levels = rpc?.levels ?? [];
    return {
      name,
      selected: rpc !== undefined,
      hmi_levels: levelOrder.map((level) => ({ name: level, value: level, selected: levels.includes(level) })),
      parameters: buildParameterChoices(name, rpc?.parameters ?? [], vocabulary),
    };
  });
}

const vehicleDataRpcNames: ReadonlySet<string> = new Set(vehicleDataRpcs);

function buildParameterChoices(rpc: string, stored: readonly string[], vocabulary: Vocabulary) {
  const known = new Set(vocabulary.parameters.get(rpc));
  const possible = vehicleDataRpcNames.has(rpc) ? vocabulary.customData : [];
  const custom = distinct(possible.filter((key) => !known.has(key)));
  const plain = distinct([...known, ...stored.filter((key) => !custom.includes(key))]);
  const choice = (is_custom: boolean) => (key: string) => ({
    name: key,
    key,
    is_custom,
    selected: stored.includes(key),
  });
  return [...plain.sort(byCodeUnit).map(choice(false)), ...custom.sort(byCodeUnit).map(choice(true))];
}

/** The content to store for a `POST groups` body: only selected entries, each RPC once (`api.md` 11.4). */
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

export function toSaveBody(group: GroupContent) {
  return {
    name: group.name,
    description: group.description,
    user_consent_prompt: group.userConsentPrompt,
    ...toFlagsJson(group),
    rpcs: group.rpcs.map(toSubmittedRpc),
  };
}

const level = z.object({ name: z.enum(hmiLevels), value: z.enum(hmiLevels), selected: z.boolean() });
const parameter = z.object({ name: z.string(), key: z.string(), is_custom: z.boolean(), selected: z.boolean() });
const rpc = z
  .object({
    name: z.string(),
    selected: z.boolean(),
    hmi_levels: z.array(level).length(hmiLevels.length),
    parameters: z.array(parameter),
  })
  .meta({ id: "GroupRpc" });

export const flagMembers = toSnakeMembers({ ...recordOf(groupFlags, () => z.boolean()), isDeleted: z.boolean() });

export const groupAnswer = z
  .object({
    id: z.int(),
    name: z.string(),
    description: nullableText,
    status: z.union([recordStatus, z.literal("").describe("of the template")]),
    user_consent_prompt: nullableText,
    selected_prompt_id: z.int().nullable(),
    selected_prompt_status: recordStatus.nullable(),
    selected_rpc_count: z.int(),
    selected_parameter_count: z.int(),
    ...flagMembers,
    rpcs: z.array(rpc).describe("Empty in lists"),
  })
  .meta({ id: "Group", description: "A record of a functional group" }) satisfies z.ZodType<GroupJson>;

export const groupsAnswer = z.object({ groups: z.array(groupAnswer), next_cursor: nextCursor });
export const namesAnswer = z.object({ names: z.array(z.string()) });

const effectedRpc = z.object({
  name: z.string(),
  kind: z.enum(["gained", "lost"]),
  hmi_levels: z.array(z.enum(hmiLevels)),
  parameters: z.array(z.string()),
  app_count: z.int().describe("Apps that gain or lose it in some car; 0: nothing changes"),
  rejected_count: z.int().describe("Apps for which nothing changes because cars reject the call"),
  builds: z.array(z.enum(carBuilds)).describe("Builds of head units in which that is so"),
});

const namedApps = z.array(z.object({ id: z.int(), name: z.string() }));

const groupEffect = z
  .object({
    group: z.string(),
    kind: z.enum(["gained", "lost", "changed"]).describe("changed: the apps keep the group, with different content"),
    is_default: z.boolean().describe("Every app has it, including apps without permissions of their own"),
    prompt_before: nullableText,
    prompt_after: nullableText,
    app_count: z.int(),
    apps: namedApps.describe("The first of them by name"),
    rpcs: z.array(effectedRpc).describe("The riskiest first"),
    rejected: z.array(rejectedCalls.extend({ app_count: z.int() })).describe("New permissions that cars reject"),
  })
  .meta({ id: "GroupEffect" });

export const effectAnswer = z.object({
  environment: z.enum(environments),
  app_count: z.int().describe("Apps with permissions of their own there"),
  holder_count: z.int().describe("How many of them have one of these groups afterwards"),
  holders: namedApps.describe("The first of these by name"),
  is_registration_lost: z.boolean().describe("Apps may register now, and none may afterwards"),
  is_update_lost: z.boolean().describe("Apps can bring the next policy table now, and none can afterwards"),
  effects: z.array(groupEffect),
  findings: z
    .array(
      z.object({
        rule: z.string().describe("Of head-unit-rules.md"),
        severity: z.literal("danger"),
        build: z.enum(carBuilds),
        rpc: z.string(),
        groups: z.array(z.string()).describe("Those that do it"),
        app_count: z.int(),
        message: z.string().describe("What head units do, and what to do about it"),
      }),
    )
    .describe("Where head units read these groups differently from what they say"),
  more_findings: z.int().describe("How many are left out"),
  more_effects: z.int().describe("How many are left out"),
});
export type EffectAnswer = z.infer<typeof effectAnswer>;

export const groupExportAnswer = z.object({
  groups: z.array(z.looseObject({ name: z.string(), rpcs: z.array(z.unknown()) })),
});

export const unmappedAnswer = z.object({
  permissions: z.array(z.object({ name: z.string(), type: z.enum(["RPC", "PARAMETER"]) })),
  unmapped_rpc_count: z.int(),
  unmapped_parameter_count: z.int(),
  next_cursor: nextCursor,
});
export type UnmappedAnswer = z.infer<typeof unmappedAnswer>;
