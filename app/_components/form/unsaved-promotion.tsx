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
      title="Publish with unsaved changes?"
      confirmLabel="Save and publish"
      onConfirm={async () => {
        if (await save()) onPromote();
      }}
      alternative={isSaved ? { label: "Publish saved version", onConfirm: onPromote } : undefined}
    >
      Only saved changes can be published. Unsaved changes stay here, and you can publish them later.
    </ConfirmDialog>
  );
}
