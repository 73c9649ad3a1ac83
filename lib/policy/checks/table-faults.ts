import { isUnfit, type HeadUnitFinding } from "@/lib/policy/head-unit/finding";
import { checkPolicyTable } from "@/lib/policy/head-unit/head-unit-check";
import { memberOf } from "@/lib/policy/head-unit/values";
import type { SnapshotGroup } from "@/lib/policy/table/snapshot";
import { registrationRpc } from "@/lib/labels/vocabulary";

/** Rules for unwanted findings for which no head unit refuses a table (rules F3, G10). */
const promptRule = "F3 user_consent_prompt";
const registrationRule = "G10 registration";

/** The entries for apps without their own, and the sentence about the apps concerned. */
const entriesOfEveryApp = [
  ["default", "No app can register"],
  ["pre_DataConsent", "No app can register before its user has consented"],
] as const;

/**
 * Finds problems of a table: what head units would report (rule G9), omitted groups (rule F3), and whether apps can
 * register at all (rule G10).
 *
 * @param table the value of `policy_table`; accepts any JSON value
 * @param promptless groups of its view that the table omits
 */
export function checkTable(table: unknown, promptless: readonly PromptlessGroup[]): readonly HeadUnitFinding[] {
  return [...checkPolicyTable(table), ...checkBeyond(table, promptless)];
}

/** Finds only the problems that no head unit reports. */
export function checkBeyond(table: unknown, promptless: readonly PromptlessGroup[]): readonly HeadUnitFinding[] {
  return [...promptless.map(describePromptless), ...checkRegistration(table)];
}

/**
 * Whether an app can register with these HMI levels of the RPC (rule G10). It then has the level NONE, and without its
 * first RPC it can do nothing at all.
 */
function allowRegistration(levels: unknown): boolean {
  return Array.isArray(levels) && levels.includes("NONE");
}

/** Whether the groups of a view let apps register (rule G10). Only groups that every app has permit this. */
export function allowsRegistration(groups: readonly SnapshotGroup[]): boolean {
  return groups.some(
    ({ isDefault, isDeleted, rpcs }) =>
      isDefault && !isDeleted && rpcs.some(({ name, levels }) => name === registrationRpc && allowRegistration(levels)),
  );
}

/** Whether a finding may reach production only with `force` and is reported by saves. */
export function isBlocking(finding: HeadUnitFinding): boolean {
  return isUnfit(finding) || finding.rule === promptRule || finding.rule === registrationRule;
}

/** Whether a finding is a group omitted because its prompt's message is missing (rule F3). */
export function isPromptless({ rule }: HeadUnitFinding): boolean {
  return rule === promptRule;
}

/** The member of a save's response with the findings it introduces; absent if there are none. */
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

function checkRegistration(table: unknown): readonly HeadUnitFinding[] {
  const groupings = memberOf(table, "functional_groupings");
  const policies = memberOf(table, "app_policies");
  return entriesOfEveryApp.flatMap(([id, consequence]): HeadUnitFinding[] => {
    const groups = memberOf(memberOf(policies, id), "groups");
    const names: readonly unknown[] = Array.isArray(groups) ? groups : [];
    const allows = (name: unknown) => {
      const levels = memberOf(memberOf(memberOf(groupings, name), "rpcs"), registrationRpc);
      return allowRegistration(memberOf(levels, "hmi_levels"));
    };
    if (names.some(allows)) return [];
    return [
      {
        build: "both",
        severity: "danger",
        path: `app_policies.${id}.groups`,
        rule: registrationRule,
        message: `${consequence}: no group of the entry ${id} allows RegisterAppInterface at the level NONE.`,
      },
    ];
  });
}
