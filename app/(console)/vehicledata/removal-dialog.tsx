import { type ItemForm, itemFamily } from "./item-form";
import { UsedBy } from "./used-by";
import { type Removal, type RemovedRecord, RemovalDialog as SharedDialog } from "@/app/_records/removal-dialog";
import type { GroupLink } from "@/lib/records/vehicle-data/console-rows";

export function RemovalDialog({
  item,
  ...removal
}: Readonly<Removal<ItemForm> & { item: RemovedRecord & { readonly usedBy: readonly GroupLink[] } }>) {
  const { usedBy } = item;
  return (
    <SharedDialog {...removal} family={itemFamily} record={item}>
      {!removal.isRestore && (
        <>
          <p>All that is inside goes with it.</p>
          <UsedBy groups={usedBy} environment="staging">
            {usedBy.length === 1 ? "This group grants it" : `These ${usedBy.length} groups grant it`} and would refer to
            a parameter that no longer exists:
          </UsedBy>
        </>
      )}
    </SharedDialog>
  );
}
