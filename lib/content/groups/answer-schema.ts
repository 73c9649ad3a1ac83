/** Answers of the group routes (`api.md` section 11). */
import { z } from "zod";
import type { GroupJson } from "@/lib/content/groups/wire";
import { nextCursor, nullableText, recordStatus } from "@/lib/platform/http/answer-schema";
import { carBuilds } from "@/lib/labels/head-units";
import { groupFlags } from "@/lib/labels/group-flags";
import { recordOf, toSnakeMembers } from "@/lib/labels/members";
import { environments, hmiLevels } from "@/lib/labels/vocabulary";

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

/** What is true of a functional group (`api.md` 11.2). */
export const flagMembers = toSnakeMembers({ ...recordOf(groupFlags, () => z.boolean()), isDeleted: z.boolean() });

/** A functional group (`api.md` 11.2). */
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
  builds: z.array(z.enum(carBuilds)).describe("Builds of head units in which that is so"),
});

const groupEffect = z
  .object({
    group: z.string(),
    kind: z.enum(["gained", "lost", "changed"]).describe("changed: the apps keep the group, with different content"),
    is_default: z.boolean().describe("Every app has it, including apps without permissions of their own"),
    prompt_before: nullableText,
    prompt_after: nullableText,
    app_count: z.int(),
    apps: z.array(z.object({ id: z.int(), name: z.string() })).describe("The first of them by name"),
    rpcs: z.array(effectedRpc).describe("The riskiest first"),
  })
  .meta({ id: "GroupEffect" });

/** What a change of groups does to apps (`POST ui/groups/effect`, `GET ui/groups/promotion/effect`). */
export const effectAnswer = z.object({
  environment: z.enum(environments),
  app_count: z.int().describe("Apps with permissions of their own there"),
  holder_count: z.int().describe("How many of them have one of these groups afterwards"),
  is_registration_lost: z.boolean().describe("Apps can register now, and none can afterwards"),
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

/** The file of `GET ui/groups/export` in JSON: bodies that `POST groups` takes. */
export const exportAnswer = z.object({
  groups: z.array(z.looseObject({ name: z.string(), rpcs: z.array(z.unknown()) })),
});

/** `GET ui/groups/body`: what `POST groups` takes, with the id for its `base_id`; null: there is no such group. */
export const groupBodyAnswer = z.object({
  group: z
    .object({
      id: z.int(),
      ...groupAnswer.pick({
        name: true,
        description: true,
        user_consent_prompt: true,
      }).shape,
      ...flagMembers,
      rpcs: z.array(
        z.object({
          name: z.string(),
          selected: z.boolean(),
          hmi_levels: z.array(level.omit({ name: true })),
          parameters: z.array(parameter.pick({ key: true, selected: true })),
        }),
      ),
    })
    .nullable(),
});
export type GroupBody = NonNullable<z.infer<typeof groupBodyAnswer>["group"]>;

/** `GET permissions/unmapped` (`api.md` 10.2). */
export const unmappedAnswer = z.object({
  permissions: z.array(z.object({ name: z.string(), type: z.enum(["RPC", "PARAMETER"]) })),
  unmapped_rpc_count: z.int(),
  unmapped_parameter_count: z.int(),
  next_cursor: nextCursor,
});
export type UnmappedAnswer = z.infer<typeof unmappedAnswer>;
