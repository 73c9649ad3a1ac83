import type { CompiledPolicy } from "@/lib/policy/compiled-policy";
import type { CompiledEntry } from "@/lib/policy/compiled-entry";
import { checkPolicyTable, type HeadUnitFinding } from "@/lib/policy/head-unit-check";
import { checkTable } from "@/lib/policy/table-faults";

interface Table {
  readonly module_config: unknown;
  readonly functional_groupings: object;
  readonly app_policies: object;
}

/**
 * Checks what a compiled policy answers with (rules F3, G9, G10). The answer is not changed by
 * findings; they are for the log and for administrators.
 */
export class PolicyInspector {
  /** What is wrong with the sections and fixed entries that every answer holds. */
  readonly shared: readonly HeadUnitFinding[];
  readonly #sharedPaths: ReadonlySet<string>;
  /** The least table in which an app's entry can be checked: the groups by name only. */
  readonly #frame: Table;

  constructor(policy: CompiledPolicy) {
    const answer = `{"data":[{"policy_table":${policy.opening(false).bytes.toString()}${policy.closing.bytes.toString()}`;
    const table = (JSON.parse(answer) as { data: [{ policy_table: Table }] }).data[0].policy_table;
    this.shared = checkTable(table, policy.promptless);
    this.#sharedPaths = new Set(this.shared.map(({ path }) => path));
    const names = Object.keys(table.functional_groupings);
    this.#frame = {
      module_config: table.module_config,
      functional_groupings: Object.fromEntries(names.map((name) => [name, { rpcs: null }])),
      app_policies: table.app_policies,
    };
  }

  /**
   * What head units would refuse or misunderstand in the entry of one app.
   *
   * @param id the key of the entry in a table
   */
  inspectEntry(id: string, entry: CompiledEntry): readonly HeadUnitFinding[] {
    const value: unknown = JSON.parse(`${entry.text}}`);
    const app_policies = { ...this.#frame.app_policies, [id]: value };
    const findings = checkPolicyTable({ ...this.#frame, app_policies });
    return findings.filter(({ path }) => !this.#sharedPaths.has(path));
  }
}
