"use client";
import { useState } from "react";
import { Button } from "@/app/_components/ui/button";
import { Dialog } from "@/app/_components/overlay/dialog";

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
  const [isSaving, setIsSaving] = useState(false);
  async function saveFirst() {
    setIsSaving(true);
    if (await save()) onPromote();
    else onClose();
  }
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => {
        if (!isOpen && !isSaving) onClose();
      }}
      title="Promote with the unsaved changes?"
      footer={
        <>
          <Button disabled={isSaving} onClick={onClose}>
            Cancel
          </Button>
          {isSaved && (
            <Button disabled={isSaving} onClick={onPromote}>
              Promote the saved state
            </Button>
          )}
          <Button variant="primary" needsServer busy={isSaving} onClick={() => void saveFirst()}>
            Save and promote
          </Button>
        </>
      }
    >
      <p className="text-muted">
        Only what is saved can go to production. What is not saved now stays here as it is, and can follow later.
      </p>
    </Dialog>
  );
}
