import type { CompiledPolicy } from "@/lib/policy/table/compiled-policy";
import { checkPolicyTable, type HeadUnitFinding } from "@/lib/policy/head-unit/head-unit-check";
import { checkTable } from "@/lib/policy/checks/table-faults";

interface Table {
  readonly functional_groupings: object;
}

/**
 * Checks what a compiled policy answers with (rules F3, G9, G10). The answer is not changed by
 * findings; they are for the log and for administrators.
 */
export class PolicyInspector {
  /** What is wrong with the sections and fixed entries that every answer holds. */
  readonly shared: readonly HeadUnitFinding[];
  readonly #groups: readonly string[];

  constructor(policy: CompiledPolicy) {
    const answer = `{"data":[{"policy_table":${policy.opening(false).bytes.toString()}${policy.closing.bytes.toString()}`;
    const table = (JSON.parse(answer) as { data: [{ policy_table: Table }] }).data[0].policy_table;
    this.shared = checkTable(table, policy.promptless);
    this.#groups = Object.keys(table.functional_groupings);
  }

  /**
   * What head units would refuse or misunderstand in the entry of one app.
   *
   * @param id the key of the entry in a table
   * @param text the entry without its closing brace
   */
  inspectEntry(id: string, text: string): readonly HeadUnitFinding[] {
    return findInEntry(id, text, this.#groups);
  }
}

/**
 * What head units would refuse or misunderstand in the entry of one app, whatever else stands in its table.
 *
 * @param id the key of the entry in a table
 * @param text the entry without its closing brace, as `buildAppEntry` gives it
 * @param groups names of all functional groups of the table
 */
export function findInEntry(id: string, text: string, groups: readonly string[]): readonly HeadUnitFinding[] {
  const entry: unknown = JSON.parse(`${text}}`);
  const { functional_groupings, elsewhere } = surroundingsOf(groups);
  const app_policies = Object.fromEntries([[id, entry]]);
  return checkPolicyTable({ functional_groupings, app_policies }).filter(({ path }) => !elsewhere.has(path));
}

interface Surroundings {
  readonly functional_groupings: Readonly<Record<string, { readonly rpcs: null }>>;
  /** Paths of what is found in the least table in which an entry can be checked: that is not about the entry. */
  readonly elsewhere: ReadonlySet<string>;
}

/** The same list of groups surrounds the entries of thousands of apps. */
const surroundings = new WeakMap<readonly string[], Surroundings>();

function surroundingsOf(groups: readonly string[]): Surroundings {
  const known = surroundings.get(groups);
  if (known !== undefined) return known;
  const functional_groupings = Object.fromEntries(groups.map((name) => [name, { rpcs: null }]));
  const found = checkPolicyTable({ functional_groupings, app_policies: {} });
  const made = { functional_groupings, elsewhere: new Set(found.map(({ path }) => path)) };
  surroundings.set(groups, made);
  return made;
}
