import { type GroupForm, rpcMember, type RpcRule, withRules } from "@/app/(console)/functionalgroups/group-form";
import { orderLevels } from "@/app/(console)/functionalgroups/levels";
import type { HmiLevel } from "@/lib/labels/vocabulary";

/** A permission to be added: an RPC, or a parameter with the RPCs it belongs to. */
export interface WantedPermission {
  readonly name: string;
  readonly type: "RPC" | "PARAMETER";
  readonly parents: readonly string[];
}

/**
 * The group with some permissions more. RPCs it holds keep their levels; new ones get those given. A parameter comes
 * under all of its RPCs, which are added where they are missing: the calls that read one value belong together.
 */
export function addPermissions(
  form: GroupForm,
  wanted: readonly WantedPermission[],
  levels: readonly HmiLevel[],
): GroupForm {
  const rules: Record<string, RpcRule> = {};
  const ruleOf = (name: string): RpcRule =>
    rules[name] ?? form[rpcMember(name)] ?? { levels: orderLevels(levels), parameters: [] };
  for (const { name, type, parents } of wanted) {
    if (type === "RPC") rules[name] = ruleOf(name);
    else {
      for (const parent of parents) {
        const rule = ruleOf(parent);
        rules[parent] = { ...rule, parameters: [...new Set([...rule.parameters, name])].toSorted() };
      }
    }
  }
  return withRules(form, rules);
}
