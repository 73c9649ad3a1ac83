"use client";
import { Trash2 } from "lucide-react";
import { useRef } from "react";
import { Button } from "@/app/_components/ui/button";
import { Chip } from "@/app/_components/ui/chip";
import { DialogCloseLayer, DialogLayer } from "@/app/_components/overlay/dialog-layer";
import { IconButton } from "@/app/_components/ui/icon-button";
import type { SavedView } from "@/app/_components/list/views/saved-views";
import type { SavedViews } from "@/app/_components/list/views/use-saved-views";
import { showDone } from "@/app/_components/feedback/show-toast";

/** Asks which view is not needed any more and deletes it; the toast brings it back. */
export function DeleteViewDialog({
  saved,
  current,
  onClose,
}: Readonly<{ saved: SavedViews; current: SavedView | null; onClose: () => void }>) {
  const cancel = useRef<HTMLButtonElement>(null);
  function remove(view: SavedView) {
    saved.remove(view.name);
    // Toasts cannot be reached while a dialog is open.
    onClose();
    showDone(`The view “${view.name}” is deleted`, {
      label: "Undo",
      onClick: () => {
        saved.restore(view);
      },
    });
  }
  return (
    <DialogLayer
      open
      onOpenChange={onClose}
      size="sm"
      title="Delete a view"
      description="Only the saved view goes; what the list shows stays."
      initialFocus={cancel}
      footer={<DialogCloseLayer render={<Button ref={cancel}>Cancel</Button>} />}
    >
      <ul aria-label="Saved views" className="divide-y divide-line rounded-card border border-line">
        {saved.views.map((view) => (
          <li key={view.name} className="flex min-h-10 items-center gap-2 py-1 pr-1 pl-3">
            <span className="min-w-0 grow wrap-break-word">{view.name}</span>
            {view.name === current?.name && <Chip tone="accent">Shown now</Chip>}
            <IconButton
              icon={Trash2}
              label={`Delete ${view.name}`}
              onClick={() => {
                remove(view);
              }}
            />
          </li>
        ))}
      </ul>
    </DialogLayer>
  );
}
