"use client";
import { useState } from "react";
import { Button } from "@/app/_components/button";
import { Dialog } from "@/app/_components/dialog";
import { ChangeTable } from "@/app/_components/form/change-table";
import type { Draft } from "@/app/_components/form/use-draft";
import type { Save } from "@/app/_components/form/use-save";
import { showDone } from "@/app/_components/show-toast";

/** Stands at the bottom while there are unsaved changes. */
export function DraftFooter<T extends object>({
  draft,
  save,
  labels,
  saveLabel,
}: Readonly<{
  draft: Draft<T>;
  save: Save<T>;
  labels: Readonly<Record<string, string>>;
  saveLabel: string;
}>) {
  const [isShown, setIsShown] = useState(false);
  const { isDirty, changed } = draft;
  const words = changed.length === 1 ? "1 unsaved change" : `${changed.length} unsaved changes`;

  function discard() {
    const { base, baseId, value } = draft;
    draft.discard();
    showDone("Changes discarded", {
      label: "Undo",
      onClick: () => {
        draft.rebase(base, baseId, value);
      },
    });
  }

  return (
    <div className="sticky bottom-0 z-20 -mx-4 empty:hidden md:-mx-6">
      <p role="status" className="sr-only">
        {isDirty ? words : ""}
      </p>
      {(isDirty || save.isSaving) && (
        <div
          role="group"
          aria-label="Unsaved changes"
          className="flex flex-wrap items-center gap-2 border-t border-line bg-raised px-4 py-2.5 shadow-popup md:px-6"
        >
          <span className="font-medium tabular-nums">{isDirty ? words : "Saving…"}</span>
          {isDirty && (
            <>
              <Button
                variant="ghost"
                size="sm"
                onClick={() => {
                  setIsShown(true);
                }}
              >
                Show
              </Button>
              <Button variant="ghost" size="sm" className="ml-auto" disabled={save.isSaving} onClick={discard}>
                Discard
              </Button>
            </>
          )}
          <Button
            type="submit"
            variant="primary"
            needsServer
            busy={save.isSaving}
            className={isDirty ? "" : "ml-auto"}
            aria-keyshortcuts="Control+S Meta+S"
          >
            {saveLabel}
          </Button>
        </div>
      )}
      {isShown && (
        <Dialog open onOpenChange={setIsShown} title={words} size="lg">
          <ChangeTable before={draft.base} after={draft.value} changed={changed} labels={labels} />
        </Dialog>
      )}
    </div>
  );
}
