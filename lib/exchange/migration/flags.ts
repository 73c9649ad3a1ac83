import type { SdlRow } from "@/lib/exchange/migration/tables";
import { groupFlags } from "@/lib/labels/group-flags";
import { recordOf, snakeName } from "@/lib/labels/members";

/** What is true of a group, which both servers call alike. */
export function camelFlags(row: SdlRow<"function_group_info">) {
  return recordOf(groupFlags, (name) => row[snakeName(name)]);
}
