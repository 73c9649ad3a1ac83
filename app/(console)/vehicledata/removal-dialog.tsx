"use client";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { buildRemoval, readId, readItem } from "@/app/(console)/vehicledata/item-api";
import { UsedBy } from "@/app/(console)/vehicledata/used-by";
import { ConfirmDialog } from "@/app/_components/overlay/confirm-dialog";
import { Notice } from "@/app/_components/feedback/notice";
import { showDone } from "@/app/_components/feedback/show-toast";
import { undoAction } from "@/app/_components/feedback/undo-action";
import { useAction } from "@/app/_components/hooks/use-action";
import { ApiError } from "@/lib/http/client";
import type { GroupLink } from "@/lib/vehicle-data/console-rows";

/** Deletes an item in staging, or takes that back; only the version that the page shows. */
export function RemovalDialog({
  item,
  isRestore,
  isDirty = false,
  onClose,
  onDone,
}: Readonly<{
  item: {
    /** Of the version that the page shows. */
    readonly id: number;
    readonly name: string;
    readonly isNew: boolean;
    readonly usedBy: readonly GroupLink[];
  };
  isRestore: boolean;
  /** Whether the reader has changes of it that are not saved. */
  isDirty?: boolean;
  onClose: () => void;
  /** Called with the id of the new version. */
  onDone?: (id: number | null) => void;
}>) {
  const { name, isNew, usedBy } = item;
  // That of the page when the question was asked: a later version comes with the page only after a refusal.
  const [id] = useState(item.id);
  const router = useRouter();
  const save = useAction("/api/v1/vehicle-data");

  async function store(isDeleted: boolean, baseId: number): Promise<number | null> {
    try {
      return readId(await save.run(buildRemoval(await readItem(name), isDeleted, baseId)));
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 409) throw error;
      // What somebody else has made of it must be seen before it is decided about.
      router.refresh();
      const refusal = `Nothing was ${isDeleted ? "deleted" : "restored"}: someone else has saved ${name} meanwhile.`;
      const advice = isDirty ? "Discard your changes to see their version." : "The page shows their version now.";
      throw new ApiError(`${refusal} ${advice}`, error.status, error.requestId, error.data);
    }
  }

  async function confirm() {
    const savedId = await store(!isRestore, id);
    showDone(
      isRestore ? `Restored ${name} in staging` : `Deleted ${name} in staging`,
      savedId === null ? undefined : undoAction(() => store(isRestore, savedId)),
    );
    onDone?.(savedId);
  }

  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={isRestore ? `Restore ${name}?` : `Delete ${name}?`}
      confirmLabel={isRestore ? "Restore the item" : "Delete the item"}
      danger={!isRestore}
      onConfirm={confirm}
    >
      {isRestore ? (
        <p>It comes back to the staging table at once. In production it then stays as it is.</p>
      ) : (
        <>
          <p>
            It leaves the staging table at once, with all that is inside
            {isNew ? "; it has never been in production." : ", and the production table when this is promoted."}
          </p>
          {isDirty && <Notice className="text-text">Your unsaved changes to it will be lost.</Notice>}
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
