import { z } from "zod";
import { queryBoolean, queryEnvironment, queryInteger } from "@/lib/platform/zod/query";
import { readSelectedRpcs } from "@/lib/records/groups/rules";
import { groupFlags } from "@/lib/vocabulary/group-flags";
import { recordOf, snakeName } from "@/lib/vocabulary/members";
import { hmiLevels } from "@/lib/vocabulary/terms";
import { byteLength } from "@/lib/vocabulary/byte-length";
import { wholeText } from "@/lib/platform/zod/refusing";
import { baseIdMember, checkName, pagingParameters, trimName } from "@/lib/records/store/query";

export const listGroupsQuery = z.object({
  environment: queryEnvironment("production"),
  id: queryInteger(),
  template: queryBoolean(),
  ...pagingParameters,
});

export const unmappedQuery = z.object({ environment: queryEnvironment("production"), ...pagingParameters });

const groupSentence = "A group needs name, is_default and rpcs";
const rpcSentence = "An RPC needs name, selected, hmi_levels and parameters";
const levelSentence = "An HMI level needs value and selected";
const parameterSentence = "A parameter needs key and selected";
export const greatestNameBytes = 255;
export const greatestWordLength = 64;
/** The limit of head units in build mode EXTERNAL_PROPRIETARY. */
export const maxParameters = 100;

const groupName = z
  .string(groupSentence)
  .refine((name) => name.trim() !== "", "name must not be blank")
  .refine((name) => byteLength(name) <= greatestNameBytes, `${groupSentence}: name is longer than 255 bytes`)
  .superRefine(wholeText(`${groupSentence}: name`));

const word = (sentence: string, member: string) =>
  z
    .string(sentence)
    .min(1, sentence)
    .refine(
      (text) => Array.from(text).length <= greatestWordLength,
      `${sentence}: ${member} is longer than 64 characters`,
    )
    .superRefine(wholeText(`${sentence}: ${member}`));

const level = z.object({ value: z.enum(hmiLevels, levelSentence), selected: z.boolean(levelSentence) }, levelSentence);
const parameter = z.object(
  { key: word(parameterSentence, "key"), selected: z.boolean(parameterSentence) },
  parameterSentence,
);
const rpc = <Level extends z.ZodType, Parameter extends z.ZodType>(oneLevel: Level, oneParameter: Parameter) =>
  z.object(
    {
      name: word(rpcSentence, "name"),
      selected: z.boolean(rpcSentence),
      hmi_levels: z.array(oneLevel, rpcSentence),
      parameters: z.array(oneParameter, rpcSentence),
    },
    rpcSentence,
  );

const flag = (name: string) => z.boolean(`${name} must be true or false`).default(false);
const optionalText = (name: string) =>
  z
    .string(`${name} must be a text or null`)
    .superRefine(wholeText(name))
    .nullish()
    .transform((text) => text ?? null);

const base = { name: groupName, is_default: z.boolean(groupSentence) };
const otherFlags = [...groupFlags, "isDeleted" as const].map(snakeName).filter((name) => name !== "is_default");

/** Each step validates one level deeper, so that errors of the outer level come first (`api.md` 11.4). */
export const saveGroupBody = z
  .looseObject({ ...base, rpcs: z.array(z.unknown(), groupSentence) }, groupSentence)
  .pipe(z.looseObject({ ...base, rpcs: z.array(rpc(z.unknown(), z.unknown())) }))
  .pipe(z.looseObject({ ...base, rpcs: z.array(rpc(level, z.unknown())) }))
  .pipe(
    z.object({
      ...base,
      rpcs: z.array(rpc(level, parameter)),
      ...recordOf(otherFlags, flag),
      description: optionalText("description"),
      user_consent_prompt: optionalText("user_consent_prompt").transform((prompt) => (prompt === "" ? null : prompt)),
      base_id: baseIdMember,
    }),
  )
  .overwrite(trimName("name"))
  .superRefine(checkName("name"))
  .superRefine(({ rpcs, is_deleted }, context) => {
    if (is_deleted) return;
    const long = readSelectedRpcs(rpcs).find(({ parameters }) => parameters.length > maxParameters);
    if (long) context.addIssue(`The RPC ${long.name} has more than ${maxParameters} parameters`);
  });
export type SaveGroupBody = z.infer<typeof saveGroupBody>;
