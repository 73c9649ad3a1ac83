"use client";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { buildChange, readGroup } from "@/app/(console)/functionalgroups/group-api";
import { ConfirmDialog } from "@/app/_components/confirm-dialog";
import { showDone } from "@/app/_components/show-toast";
import { useAction } from "@/app/_components/use-action";
import { ApiError } from "@/lib/http/client";

/** Deletes a group in staging, or takes that back. */
export function RemovalDialog({
  group,
  isRestore,
  onClose,
  onDone,
}: Readonly<{
  group: {
    /** Of the version that the page shows. */
    readonly id: number;
    readonly name: string;
    readonly isNew: boolean;
  };
  isRestore: boolean;
  onClose: () => void;
  onDone?: () => void;
}>) {
  const save = useAction("/api/v1/groups");
  const router = useRouter();
  // That of the page when the question was asked.
  const [shownId] = useState(group.id);

  async function store() {
    const newest = await readGroup(group.name);
    if (newest.id !== shownId) {
      // What somebody else has made of it must be seen before it is decided about.
      router.refresh();
      const act = isRestore ? "restored" : "deleted";
      throw new ApiError(
        `Nothing was ${act}: someone else has saved ${group.name} meanwhile. The page shows their version now.`,
        409,
        null,
        null,
      );
    }
    await save.run(buildChange(newest, (form) => form, !isRestore));
  }

  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={isRestore ? `Restore ${group.name}?` : `Delete ${group.name}?`}
      confirmLabel={isRestore ? "Restore the group" : "Delete the group"}
      danger={!isRestore}
      onConfirm={async () => {
        await store();
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
