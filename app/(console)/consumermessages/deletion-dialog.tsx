"use client";
import { ConfirmDialog } from "@/app/_components/overlay/confirm-dialog";
import { Notice } from "@/app/_components/feedback/notice";
import { showDone } from "@/app/_components/feedback/show-toast";
import { useAction } from "@/app/_components/hooks/use-action";
import type { MessageRow, PromptUse } from "@/lib/messages/overview";
import { readMessage } from "./message-api";
import { toDraft } from "./message-draft";
import { useUndo } from "./use-undo";

/** Deletes a message in staging, or restores one whose deletion waits; says first which groups ask with it. */
export function DeletionDialog({
  message: { id, category, isDeleted, isNew, uses },
  onClose,
}: Readonly<{
  message: Pick<MessageRow, "id" | "category" | "isDeleted" | "isNew" | "uses">;
  onClose: () => void;
}>) {
  const save = useAction("/api/v1/messages");
  const offerUndo = useUndo();

  async function run() {
    const stored = await readMessage(id);
    if (stored === null) throw new Error("The message no longer exists");
    // The record that this page shows: what somebody else has saved meanwhile is not deleted unseen.
    await save.run({ messages: [{ ...stored, is_deleted: !isDeleted, base_id: id }] });
    const value = toDraft(stored);
    showDone(
      isDeleted ? `Restored ${category} in staging` : `Deleted ${category} in staging`,
      offerUndo({ value, isDeleted }, { value, isDeleted: !isDeleted }),
    );
  }

  const dialog = {
    open: true,
    onConfirm: run,
    onOpenChange: (isOpen: boolean) => {
      if (!isOpen) onClose();
    },
  };
  if (isDeleted) {
    return (
      <ConfirmDialog {...dialog} title={`Restore ${category}?`} confirmLabel="Restore message">
        <p>
          It is back in the staging table at once
          {isNew ? "." : ", and stays in production: its deletion no longer waits for a promotion."}
        </p>
      </ConfirmDialog>
    );
  }
  return (
    <ConfirmDialog {...dialog} danger title={`Delete ${category}?`} confirmLabel="Delete message">
      <p>
        It leaves the staging table at once
        {isNew ? "." : ", and the production table when the deletion is promoted. Until then it can be restored."}
      </p>
      <LostPrompts uses={uses} />
    </ConfirmDialog>
  );
}

function LostPrompts({ uses }: Readonly<{ uses: readonly PromptUse[] }>) {
  const staging = uses.filter(({ stagingId }) => stagingId !== null).map(({ name }) => name);
  const production = uses.filter(({ productionId }) => productionId !== null).map(({ name }) => name);
  if (staging.length + production.length === 0) return <p>No functional group asks with it.</p>;
  return (
    <Notice title="Functional groups ask with this message">
      {staging.length > 0 && <p>{`In staging these are left out of the policy table now: ${staging.join(", ")}.`}</p>}
      {production.length > 0 && (
        <p>
          {`The deletion cannot be promoted while these ask with it in production: ${production.join(", ")}. Give them another prompt before.`}
        </p>
      )}
    </Notice>
  );
}
