import { isUnfit, type HeadUnitFinding } from "@/lib/policy/head-unit/finding";
import { checkPolicyTable } from "@/lib/policy/head-unit/head-unit-check";
import { checkPreloadedTable } from "@/lib/policy/head-unit/preloaded-check";
import { isObject, memberOf } from "@/lib/policy/head-unit/values";
import type { SnapshotGroup } from "@/lib/policy/table/snapshot";
import { carsOf, readPermitTable, type Car, type PermitTable } from "@/lib/policy/permits/car";
import { isPermitted } from "@/lib/policy/permits/permits";
import { listAllowedRpcs, type ParameterRules } from "@/lib/policy/table/functional-groupings";
import { carBuilds, type ByBuild, type CarBuild } from "@/lib/vocabulary/head-units";
import { neededRpcs, registrationRpc, updateRpcs } from "@/lib/vocabulary/terms";

/** Rules of unwanted findings for which no head unit refuses a table. */
const promptRule = "F3 user_consent_prompt";
const registrationRule = "G10 registration";
const updateRule = "G10 next update";

/** The RPCs that an app needs before the next table can come, by the entry that gives them, and what is so without. */
const needs = [
  { id: "default", rpcs: [registrationRpc], rule: registrationRule, without: "No app may register" },
  {
    ...{ id: "pre_DataConsent", rpcs: [registrationRpc], rule: registrationRule },
    without: "No app may register before its user has consented",
  },
  { id: "default", rpcs: updateRpcs, rule: updateRule, without: "No app can bring the next policy table" },
] as const;

/**
 * What head units would report about any JSON value (rule G9), omitted groups (F3), and whether an app can bring the
 * next table (G10). `promptless`: groups of its view that the table omits; `isPreloaded`: head units are built with it.
 */
export function checkTable(
  table: unknown,
  about: { readonly promptless?: readonly PromptlessGroup[]; readonly isPreloaded?: boolean },
): readonly HeadUnitFinding[] {
  const check = about.isPreloaded ? checkPreloadedTable : checkPolicyTable;
  return [...check(table), ...checkBeyond(table, about.promptless ?? [])];
}

export function checkBeyond(table: unknown, promptless: readonly PromptlessGroup[]): readonly HeadUnitFinding[] {
  return [...promptless.map(describePromptless), ...checkNextUpdate(table)];
}

/** By the groups of every app (rule G10), even without their prompt: no save or publication leaves one out. */
export function findNeeds(groups: readonly SnapshotGroup[], rules: ParameterRules, items: ReadonlySet<string>) {
  const common = groups.filter(({ isDefault, isDeleted }) => isDefault && !isDeleted);
  const table = common.map((group) => ({
    ...{ name: group.name, prompt: group.userConsentPrompt },
    rpcs: listAllowedRpcs(group, rules),
  }));
  const names = common.map(({ name }) => name);
  const cars = carsOf(onlyNeeded({ groups: table, items }));
  const has = (rpc: string) => buildsWithout(cars, names, rpc).length === 0;
  return { registers: has(registrationRpc), updates: updateRpcs.every(has) };
}

/** Whether a finding may reach production only with `force` and is reported by saves. */
export function isBlocking(finding: HeadUnitFinding): boolean {
  return isUnfit(finding) || [promptRule, registrationRule, updateRule].includes(finding.rule);
}

export function isPromptless({ rule }: HeadUnitFinding): boolean {
  return rule === promptRule;
}

export function toFindingsMember(findings: readonly HeadUnitFinding[]) {
  return findings.length === 0 ? {} : { findings };
}

export type PromptlessGroup = Pick<SnapshotGroup, "name" | "userConsentPrompt">;

function describePromptless({ name, userConsentPrompt }: PromptlessGroup): HeadUnitFinding {
  const prompt = JSON.stringify(userConsentPrompt);
  return {
    build: "both",
    severity: "danger",
    path: /^[\w-]+$/.test(name) ? `functional_groupings.${name}` : `functional_groupings[${JSON.stringify(name)}]`,
    rule: promptRule,
    message: `The group ${JSON.stringify(name)} is left out, because the message ${prompt} that it asks with is not there.`,
  };
}

function checkNextUpdate(table: unknown): readonly HeadUnitFinding[] {
  const policies = memberOf(table, "app_policies");
  if (!isObject(policies)) return [];
  const groupsOf = (id: string) => {
    const listed = memberOf(memberOf(policies, id), "groups");
    return Array.isArray(listed) ? listed.filter((name: unknown) => typeof name === "string") : [];
  };
  // The others need not be read.
  const listed = new Set(needs.flatMap(({ id }) => groupsOf(id)));
  const groupings = memberOf(table, "functional_groupings");
  const some = Object.entries(isObject(groupings) ? groupings : {}).filter(([name]) => listed.has(name));
  const reduced = { vehicle_data: memberOf(table, "vehicle_data"), functional_groupings: Object.fromEntries(some) };
  const cars = carsOf(onlyNeeded(readPermitTable(reduced)));
  return needs.flatMap(({ id, rpcs, rule, without }) => {
    const groups = groupsOf(id);
    return rpcs.flatMap((rpc): HeadUnitFinding[] => {
      const [build, ...others] = buildsWithout(cars, groups, rpc);
      if (build === undefined) return [];
      return [
        {
          build: others.length > 0 ? "both" : build,
          severity: "danger",
          path: `app_policies.${id}.groups`,
          rule,
          message: `${without}: the groups of the entry ${id} do not allow ${rpc} at the level NONE.`,
        },
      ];
    });
  });
}

/** Vehicles judge each RPC separately, so the others need not be evaluated. */
function onlyNeeded({ groups, items }: PermitTable): PermitTable {
  const reduced = groups.map((one) => ({ ...one, rpcs: one.rpcs.filter(({ name }) => neededRpcs.includes(name)) }));
  return { groups: reduced, items };
}

/** The builds in which an app with these groups may not use an RPC at NONE, its level once it has registered. */
function buildsWithout(cars: ByBuild<Car>, groups: readonly string[], rpc: string): readonly CarBuild[] {
  return carBuilds.filter((build) => !isPermitted(cars[build].permits(groups), rpc, "NONE", null));
}
