import type { GroupRecord } from "@/lib/content/groups/rules";
import type { IsUsableParameter } from "@/lib/policy/table/functional-groupings";
import { distinct } from "@/lib/labels/order";

/** Parameters that count in staging only (rule F5): production would leave them out without a word. */
export function listLostParameters({ rpcs }: Pick<GroupRecord, "rpcs">, isUsable: IsUsableParameter): string[] {
  const lost = rpcs.flatMap(({ name, parameters }) =>
    parameters.filter(
      (key) => isUsable({ status: "STAGING" }, name, key) && !isUsable({ status: "PRODUCTION" }, name, key),
    ),
  );
  return distinct(lost);
}
