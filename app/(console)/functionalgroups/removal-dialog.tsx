"use client";
import { buildChange, readGroup } from "@/app/(console)/functionalgroups/group-api";
import { ConfirmDialog } from "@/app/_components/confirm-dialog";
import { showDone } from "@/app/_components/show-toast";
import { useAction } from "@/app/_components/use-action";

/** Deletes a group in staging, or takes that back. */
export function RemovalDialog({
  group,
  isRestore,
  onClose,
  onDone,
}: Readonly<{
  group: { readonly name: string; readonly isNew: boolean };
  isRestore: boolean;
  onClose: () => void;
  onDone?: () => void;
}>) {
  const save = useAction("/api/v1/groups");
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={isRestore ? `Restore ${group.name}?` : `Delete ${group.name}?`}
      confirmLabel={isRestore ? "Restore the group" : "Delete the group"}
      danger={!isRestore}
      onConfirm={async () => {
        await save.run(buildChange(await readGroup(group.name), (form) => form, !isRestore));
        showDone(isRestore ? `Restored ${group.name} in staging` : `Deleted ${group.name} in staging`);
        onDone?.();
      }}
    >
      {isRestore ? (
        <p>It comes back to the staging table at once. In production it then stays as it is.</p>
      ) : (
        <>
          <p>
            It leaves the staging table at once
            {group.isNew ? "; it has never been in production." : " and the production table when this is promoted."}
          </p>
          <p>Apps lose what only this group allows them. Until it is promoted, the deletion can be taken back.</p>
        </>
      )}
    </ConfirmDialog>
  );
}
