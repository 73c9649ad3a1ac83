"use client";
import { buildRemoval, readId, readItem } from "@/app/(console)/vehicledata/item-api";
import { UsedBy } from "@/app/(console)/vehicledata/used-by";
import { ConfirmDialog } from "@/app/_components/confirm-dialog";
import { showDone, showProblem } from "@/app/_components/show-toast";
import { useAction } from "@/app/_components/use-action";
import type { GroupLink } from "@/lib/vehicle-data/console-rows";

/** Deletes an item in staging, or takes that back. */
export function RemovalDialog({
  item,
  isRestore,
  onClose,
  onDone,
}: Readonly<{
  item: { readonly name: string; readonly isNew: boolean; readonly usedBy: readonly GroupLink[] };
  isRestore: boolean;
  onClose: () => void;
  /** Called with the id of the new version. */
  onDone?: (id: number | null) => void;
}>) {
  const { name, isNew, usedBy } = item;
  const save = useAction("/api/v1/vehicle-data");
  async function store(isDeleted: boolean) {
    const answer = await save.run(buildRemoval(await readItem(name), isDeleted));
    onDone?.(readId(answer));
  }
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={isRestore ? `Restore ${name}?` : `Delete ${name}?`}
      confirmLabel={isRestore ? "Restore the item" : "Delete the item"}
      danger={!isRestore}
      onConfirm={async () => {
        await store(!isRestore);
        showDone(isRestore ? `Restored ${name} in staging` : `Deleted ${name} in staging`, {
          label: "Undo",
          onClick: () => void store(isRestore).catch(showProblem),
        });
      }}
    >
      {isRestore ? (
        <p>It comes back to the staging table at once. In production it then stays as it is.</p>
      ) : (
        <>
          <p>
            It leaves the staging table at once, with all that is inside
            {isNew ? "; it has never been in production." : ", and the production table when this is promoted."}
          </p>
          <UsedBy groups={usedBy} environment="staging">
            {usedBy.length === 1 ? "This group grants it" : `These ${usedBy.length} groups grant it`} and would name a
            parameter that no longer exists:
          </UsedBy>
          <p>Until it is promoted, the deletion can be taken back.</p>
        </>
      )}
    </ConfirmDialog>
  );
}
