/** `exchange.md` X7. Pure. */
import { greatestNameBytes, greatestWordLength, maxParameters } from "@/lib/records/groups/schema";
import { greatestCategoryBytes } from "@/lib/records/messages/schema";
import { findExcess, type Lose, losesOf, viewsOfRows } from "@/lib/exchange/migration/convert/limits";
import { nameGroups, nameMessages, requireName, stampsOf, whyRenamed } from "@/lib/exchange/migration/convert/names";
import type { ConversionReport, SdlData, SdlRow } from "@/lib/exchange/migration/convert/tables";
import { groupFlags } from "@/lib/vocabulary/group-flags";
import { recordOf, snakeName } from "@/lib/vocabulary/members";
import { byCodeUnit, groupBy } from "@/lib/vocabulary/order";
import { type Environment, hmiLevels } from "@/lib/vocabulary/terms";
import { maxGroups } from "@/lib/policy/head-unit/functional-groupings";
import { knownParameters } from "@/lib/policy/vocabulary/core-versions";

type GroupRow = SdlRow<"function_group_info">;

/** What head units accept as the name of an RPC or parameter. */
const isWord = (word: string) => word !== "" && Array.from(word).length <= greatestWordLength && word.isWellFormed();

function findExcessGroups(data: SdlData, nameOf: (name: string) => string): ReadonlySet<string> {
  const messages = viewsOfRows(data.message_group, ({ message_category }) => message_category);
  const isAsked = (prompt: string, environment: Environment) => messages[environment].get(prompt)?.is_deleted === false;
  return findExcess<GroupRow>(data.function_group_info, maxGroups, {
    keyOf: ({ property_name }) => nameOf(property_name),
    // Tables omit a group without its message (`policy-table.md` F3).
    isShown: ({ user_consent_prompt: prompt }, environment) => !prompt || isAsked(prompt, environment),
    isFirst: (row) => row.is_default || row.is_pre_data_consent || row.is_device,
  });
}

/** Throws Error with a sentence if a group has no name. */
export function convertGroups(data: SdlData, report: ConversionReport) {
  const nameOf = nameGroups(data);
  const messageOf = nameMessages(data);
  const excess = findExcessGroups(data, nameOf);
  const custom = new Set(data.custom_vehicle_data.flatMap((row) => (row.parent_id === null ? row.name : [])));
  const levelsOf = groupBy(data.function_group_hmi_levels, (row) => row.function_group_id);
  const parametersOf = groupBy(data.function_group_parameters, (row) => row.function_group_id);
  return data.function_group_info.flatMap((row) => {
    const name = nameOf(row.property_name);
    requireName(name, "function_group_info", row);
    const what = `group ${row.property_name} (record ${row.id})`;
    const lose = losesOf(report, "function_group_info", what);
    if (excess.has(name)) {
      lose(`left out: head units take at most ${maxGroups} groups, and it is one of the last that were added`);
      return [];
    }
    if (name !== row.property_name) {
      lose(whyRenamed("names", greatestNameBytes, name), undefined, { now: `group ${name}` });
    }
    const prompt = row.user_consent_prompt ?? "";
    const message = messageOf(prompt);
    if (message !== prompt) {
      lose(whyRenamed("prompts", greatestCategoryBytes, message), "user_consent_prompt");
    }
    const losesLevel = losesOf(report, "function_group_hmi_levels", what);
    const losesParameter = losesOf(report, "function_group_parameters", what);
    const rpcs = readRpcs(levelsOf(row.id), losesLevel);
    addParameters(rpcs, parametersOf(row.id), losesParameter);
    const group = {
      ...stampsOf(row),
      name,
      isDeleted: row.is_deleted,
      description: row.description,
      userConsentPrompt: message === "" ? null : message,
      ...recordOf(groupFlags, (flag) => row[snakeName(flag)]),
      rpcs: Array.from(rpcs, ([rpc, { levels, parameters }]) => ({
        name: rpc,
        levels: hmiLevels.filter((level) => levels.has(level)),
        parameters: limitParameters(rpc, parameters, custom, losesParameter),
      })).sort((a, b) => byCodeUnit(a.name, b.name)),
    };
    return [group];
  });
}

type Rpcs = Map<string, { readonly levels: Set<string>; readonly parameters: Set<string> }>;

function readRpcs(rows: readonly SdlRow<"function_group_hmi_levels">[], lose: Lose): Rpcs {
  const rpcs: Rpcs = new Map();
  for (const { permission_name: word, hmi_level: level } of rows) {
    if (!isWord(word) || !hmiLevels.some((one) => one === level)) {
      lose(`head units refuse ${word} at ${level}`, `rpcs.${word}`);
      continue;
    }
    const rpc = rpcs.get(word) ?? { levels: new Set(), parameters: new Set() };
    rpc.levels.add(level);
    rpcs.set(word, rpc);
  }
  return rpcs;
}

function addParameters(rpcs: Rpcs, rows: readonly SdlRow<"function_group_parameters">[], lose: Lose): void {
  for (const { rpc_name: word, parameter } of rows) {
    const rpc = rpcs.get(word);
    const at = `rpcs.${word}.parameters`;
    const isUnused = rpc === undefined;
    if (!isWord(parameter)) {
      lose(`head units refuse the parameter ${parameter} of ${word}`, at, isUnused ? { isUnused } : {});
    } else if (isUnused) lose(`${word} has no HMI level, so no table holds its parameters`, at, { isUnused });
    else rpc.parameters.add(parameter);
  }
}

function limitParameters(rpc: string, all: ReadonlySet<string>, custom: ReadonlySet<string>, lose: Lose): string[] {
  const parameters = [...all].sort(byCodeUnit);
  // Head units drop unknown ones before they count.
  const known = parameters.filter((one) => knownParameters.has(one) || custom.has(one));
  const over = known.slice(maxParameters);
  if (over.length === 0) return parameters;
  const reason = `head units take at most ${maxParameters} parameters of ${rpc}: left out ${over.join(", ")}`;
  lose(reason, `rpcs.${rpc}.parameters`);
  return parameters.filter((one) => !over.includes(one));
}
