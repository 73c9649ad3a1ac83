import type { SdlRow } from "@/lib/moving/tables";
import { groupFlags } from "@/lib/words/group-flags";
import { recordOf, snakeName } from "@/lib/words/members";

/** What is true of a group, which both servers call alike. */
export function camelFlags(row: SdlRow<"function_group_info">) {
  return recordOf(groupFlags, (name) => row[snakeName(name)]);
}
