"use client";
import { ConfirmDialog } from "@/app/_components/overlay/confirm-dialog";

/** Before a promotion, while changes are not saved: whether they go along. */
export function UnsavedPromotion({
  save,
  isSaved = true,
  onPromote,
  onClose,
}: Readonly<{
  /** Saves the changes; gives whether they are stored. What is in the way shows in the form. */
  save: () => Promise<boolean>;
  /** Whether something saved waits for its promotion as well. */
  isSaved?: boolean;
  onPromote: () => void;
  onClose: () => void;
}>) {
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title="Promote with the unsaved changes?"
      confirmLabel="Save and promote"
      onConfirm={async () => {
        if (await save()) onPromote();
      }}
      alternative={isSaved ? { label: "Promote the saved state", onConfirm: onPromote } : undefined}
    >
      Only what is saved can go to production. What is not saved now stays here as it is, and can follow later.
    </ConfirmDialog>
  );
}
