import { messageFamily } from "../consumermessages/message-family";
import { groupFamily } from "../functionalgroups/group-family";
import { followNewest } from "../moduleconfig/editable";
import { itemFamily } from "../vehicledata/item-family";
import { followStored } from "@/app/_records/follow-stored";
import type { ItemFamily, ItemKey } from "@/lib/labels/release-items";

/** Rebases drafts in this tab onto the versions just published, which have new ids. Never fails. */
export async function followPublished(items: readonly ItemKey[]): Promise<void> {
  const keysOf = (wanted: ItemFamily) => items.flatMap(({ family, key }) => (family === wanted ? [key] : []));
  await Promise.all([
    followStored(groupFamily, keysOf("group")),
    followStored(messageFamily, keysOf("message")),
    followStored(itemFamily, keysOf("vehicle_data")),
    ...(keysOf("module_config").length > 0 ? [followNewest()] : []),
  ]);
}
