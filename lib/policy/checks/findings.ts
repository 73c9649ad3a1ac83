"one per process";

import { oncePer } from "@/lib/platform/once-per";
import { buildFixedEntries } from "@/lib/policy/table/app-policies";
import { readShared } from "@/lib/policy/table/shared-sections";
import type { CompiledPolicy } from "@/lib/policy/table/compiled-policy";
import { checkPolicyTable, type HeadUnitFinding } from "@/lib/policy/head-unit/head-unit-check";
import { checkBeyond } from "@/lib/policy/checks/table-faults";

export interface SharedFindings {
  /** What head units would report. To them, long and short app ids are the same. */
  readonly ofHeadUnits: readonly HeadUnitFinding[];
  /** Problems that no head unit reports, and values that were replaced. */
  readonly beyond: readonly HeadUnitFinding[];
  readonly groups: readonly string[];
}

/** Once per policy, because a long table takes over 0.1 s. */
export const findInShared = oncePer(lookAtShared);

/** The table of a policy without entries of apps; `isOlder`: the one for Core before 5.0. */
export function sharedTable({ sections, snapshot, environment }: CompiledPolicy, isOlder = false) {
  return readShared(sections[isOlder ? "older" : "short"], buildFixedEntries(snapshot, environment));
}

function lookAtShared(policy: CompiledPolicy): SharedFindings {
  const table = sharedTable(policy);
  return {
    ofHeadUnits: checkPolicyTable(table),
    beyond: [...checkBeyond(table, policy.promptless), ...policy.stranding],
    groups: Object.keys(table.functional_groupings),
  };
}

/** Independent of the rest of the table. `text` lacks its closing brace; `groups` are all names of the table. */
export function findInEntry(id: string, text: string, groups: readonly string[]): readonly HeadUnitFinding[] {
  return findInEntries(Object.fromEntries([[id, JSON.parse(`${text}}`) as unknown]]), groups);
}

export function findInEntries(
  app_policies: Readonly<Record<string, unknown>>,
  groups: readonly string[],
): readonly HeadUnitFinding[] {
  const { functional_groupings, elsewhere } = surroundingsOf(groups);
  return checkPolicyTable({ functional_groupings, app_policies }).filter(({ path }) => !elsewhere.has(path));
}

interface Surroundings {
  readonly functional_groupings: Readonly<Record<string, { readonly rpcs: null }>>;
  /** Paths of findings in the smallest table around an entry; they are not about the entry. */
  readonly elsewhere: ReadonlySet<string>;
}

/** Thousands of app entries share the same list of groups. */
const surroundingsOf = oncePer((groups: readonly string[]): Surroundings => {
  const functional_groupings = Object.fromEntries(groups.map((name) => [name, { rpcs: null }]));
  const found = checkPolicyTable({ functional_groupings, app_policies: {} });
  return { functional_groupings, elsewhere: new Set(found.map(({ path }) => path)) };
});
