import dynamic from "next/dynamic";
import { useState } from "react";
import { Button } from "@/app/_components/ui/button";
import { Dialog } from "@/app/_components/overlay/dialog";
import { BottomBar } from "@/app/_components/shell/bars/bottom-bars";
import type { Draft } from "@/app/_components/form/use-draft";
import type { Save } from "@/app/_components/form/use-save";
import { showDone } from "@/app/_components/feedback/show-toast";

const ChangeTable = dynamic(() => import("@/app/_components/form/change-table").then((m) => m.ChangeTable), {
  ssr: false,
});

export function DraftFooter<T extends object>({
  formId,
  draft,
  save,
  labels,
}: Readonly<{
  /** The footer is outside of the form. */
  formId: string;
  draft: Draft<T>;
  save: Save<T>;
  labels: Readonly<Record<string, string>>;
}>) {
  const [isShown, setIsShown] = useState(false);
  const { isDirty, changed, parts } = draft;
  const words = changed.length === 1 ? "1 unsaved change" : `${changed.length} unsaved changes`;

  function discard() {
    const { base, baseId, value } = draft;
    draft.discard();
    save.forgetProblems();
    showDone("Changes discarded", {
      label: "Undo",
      onClick: () => draft.rebase(base, baseId, value),
    });
  }

  return (
    <>
      <p role="status" className="sr-only">
        {isDirty ? words : ""}
      </p>
      {(isDirty || save.isSaving) && (
        <BottomBar label="Unsaved changes">
          <span className="font-medium tabular-nums">{isDirty ? words : "Saving…"}</span>
          {isDirty && (
            <>
              <Button variant="ghost" size="sm" onClick={() => setIsShown(true)}>
                Show
              </Button>
              <Button variant="ghost" size="sm" className="ml-auto" disabled={save.isSaving} onClick={discard}>
                Discard
              </Button>
            </>
          )}
          <Button
            type="submit"
            form={formId}
            variant="primary"
            needsServer
            needs="edit"
            busy={save.isSaving}
            className={isDirty ? "" : "ml-auto"}
            aria-keyshortcuts="Control+S Meta+S"
          >
            Save
          </Button>
        </BottomBar>
      )}
      {isShown && (
        <Dialog open onOpenChange={setIsShown} title={words} size="lg">
          <ChangeTable
            before={parts.split(draft.base)}
            after={parts.split(draft.value)}
            changed={changed}
            labels={labels}
            parts={parts}
          />
        </Dialog>
      )}
    </>
  );
}
