"one per process";

import { oncePer } from "@/lib/platform/once-per";
import { jsonText, objectText } from "@/lib/policy/table/json-text";
import { partsText, TablePart } from "@/lib/policy/table/table-part";
import { byCodeUnit, byLowerCase, distinct } from "@/lib/vocabulary/order";
import type {
  PolicySnapshot,
  SnapshotGroup,
  SnapshotMessage,
  SnapshotVehicleData,
  Views,
} from "@/lib/policy/table/snapshot";
import { hmiLevels, vehicleDataSubscriptions, type Environment, type HmiLevel } from "@/lib/vocabulary/terms";

export interface GroupSources {
  readonly groups: Views<SnapshotGroup>;
  readonly messages: Views<Pick<SnapshotMessage, "category" | "isDeleted">>;
}

/** The groups in a table of this environment, ascending by lower-case name (rules F1, F3). */
export function listedGroups(sources: GroupSources, environment: Environment): SnapshotGroup[] {
  const hasItsPrompt = promptFinder(sources, environment);
  return sources.groups[environment]
    .filter((group) => !group.isDeleted && hasItsPrompt(group))
    .sort((a, b) => byLowerCase(a.name, b.name));
}

/** Without the prompt's message, they would be granted without consent (rule F3). Ascending by lower-case name. */
export function promptlessGroups(sources: GroupSources, environment: Environment): SnapshotGroup[] {
  const hasItsPrompt = promptFinder(sources, environment);
  return sources.groups[environment]
    .filter((group) => !group.isDeleted && !hasItsPrompt(group))
    .sort((a, b) => byLowerCase(a.name, b.name));
}

function promptFinder({ messages }: GroupSources, environment: Environment) {
  const prompts = new Set(messages[environment].filter((one) => !one.isDeleted).map((one) => one.category));
  return ({ userConsentPrompt: prompt }: SnapshotGroup) => prompt === null || prompts.has(prompt);
}

type Adapt = (rpcs: readonly AllowedRpc[]) => readonly AllowedRpc[];
const whole: Adapt = (rpcs) => rpcs;

/** The section without other ones (rules F1 to F7). */
export function buildFunctionalGroupings(snapshot: PolicySnapshot, environment: Environment): string {
  return partsText(buildGroupings(snapshot, environment));
}

/** The groups of a table, in order. `adapt` reduces them for head units that know less (rule F8). */
export function buildGroupings(
  snapshot: PolicySnapshot,
  environment: Environment,
  adapt: Adapt = whole,
): readonly TablePart[] {
  return listedGroups(snapshot, environment).map(groupParts(parameterRules(snapshot))(adapt));
}

/** Of a record, a table depends on nothing but these rules. */
const groupParts = oncePer((rules: ParameterRules) =>
  oncePer((adapt: Adapt) =>
    oncePer((group: SnapshotGroup) => {
      const prompt = group.userConsentPrompt;
      const json = objectText([
        ["encryption_required", jsonText(group.encryptionRequired)],
        ...(prompt === null ? [] : [["user_consent_prompt", jsonText(prompt)] as const]),
        ["rpcs", buildRpcs(adapt(listAllowedRpcs(group, rules)))],
      ]);
      return new TablePart(group.name, json);
    }),
  ),
);

/** `parameters`: those that are usable; null: all. */
export interface AllowedRpc {
  readonly name: string;
  readonly levels: readonly HmiLevel[];
  readonly parameters: readonly string[] | null;
}

export interface ParameterRules {
  /** Whether tables list the parameters of an RPC; otherwise groups with it allow all of them. */
  readonly isRestricted: (rpc: string) => boolean;
  readonly isUsable: IsUsableParameter;
}

export type ParameterRuleSources = ParameterSources & Pick<PolicySnapshot, "permissions">;

/** Prepares rules F5 and F7: one object for the same sources, which snapshots share as long as they stay the same. */
export function parameterRules({ rpcSpec, vehicleData, permissions }: ParameterRuleSources): ParameterRules {
  return rulesOf(permissions)(vehicleData)(rpcSpec ?? noSpecification);
}

const noSpecification: ParameterRuleSources["rpcSpec"] & object = { functions: [] };
const rulesOf = oncePer((permissions: ParameterRuleSources["permissions"]) =>
  oncePer((vehicleData: ParameterRuleSources["vehicleData"]) =>
    oncePer((specification: typeof noSpecification): ParameterRules => {
      const rpcSpec = specification === noSpecification ? null : specification;
      const restrictable = restrictableRpcs({ permissions });
      return {
        isRestricted: (rpc) => restrictable.has(rpc),
        isUsable: usableParameters({ rpcSpec, vehicleData }),
      };
    }),
  ),
);

/** Lists what a group allows in tables, ascending by name (rules F4 to F7). */
export function listAllowedRpcs(group: SnapshotGroup, { isRestricted, isUsable }: ParameterRules): AllowedRpc[] {
  return group.rpcs
    .filter(({ levels }) => levels.length > 0)
    .sort((a, b) => byCodeUnit(a.name, b.name))
    .map(({ name, levels, parameters }) => ({
      name,
      levels: hmiLevels.filter((level) => levels.includes(level)),
      parameters: isRestricted(name)
        ? distinct(parameters.filter((parameter) => isUsable(group, name, parameter))).sort(byCodeUnit)
        : null,
    }));
}

function buildRpcs(rpcs: readonly AllowedRpc[]): string {
  if (rpcs.length === 0) return "null";
  return objectText(
    rpcs.map(({ name, levels: hmi_levels, parameters }) => [
      name,
      jsonText(parameters === null ? { hmi_levels } : { hmi_levels, parameters }),
    ]),
  );
}

export type IsUsableParameter = (group: Pick<SnapshotGroup, "status">, rpc: string, parameter: string) => boolean;

export interface ParameterSources {
  readonly rpcSpec: {
    readonly functions: readonly {
      readonly name: string;
      readonly messageType: string;
      readonly params: readonly { readonly name: string }[];
    }[];
  } | null;
  readonly vehicleData: Views<Pick<SnapshotVehicleData, "name" | "isDeleted">>;
}

/** Rule F5 for one snapshot. */
export function usableParameters({ rpcSpec, vehicleData }: ParameterSources): IsUsableParameter {
  if (!rpcSpec) return () => true;
  const specified = new Map<string, Set<string>>();
  for (const { name, messageType, params } of rpcSpec.functions) {
    const isRead = messageType === "response" || messageType === "notification";
    // Their responses use other names for some parameters (`clusterModes` for `clusterModeStatus`).
    if (!isRead && !(messageType === "request" && vehicleDataSubscriptions.has(name))) continue;
    const known = specified.get(name) ?? new Set();
    for (const param of params) known.add(param.name);
    specified.set(name, known);
  }
  const custom = {
    staging: new Set(vehicleData.staging.filter((item) => !item.isDeleted).map((item) => item.name)),
    production: new Set(vehicleData.production.filter((item) => !item.isDeleted).map((item) => item.name)),
  };
  return (group, rpc, parameter) =>
    specified.get(rpc)?.has(parameter) === true ||
    custom.production.has(parameter) ||
    (group.status === "STAGING" && custom.staging.has(parameter));
}

function restrictableRpcs({ permissions }: Pick<PolicySnapshot, "permissions">): ReadonlySet<string> {
  return new Set(permissions.filter(({ type }) => type === "PARAMETER").flatMap(({ parents }) => parents));
}
