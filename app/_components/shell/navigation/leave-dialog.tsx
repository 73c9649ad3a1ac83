"use client";
import { AlertDialog } from "@base-ui/react/alert-dialog";
import { useEffect, useRef, useState } from "react";
import { Button } from "@/app/_components/ui/button";
import { backdropClass, dialogClass, dialogFooterClass, viewportClass } from "@/app/_components/overlay/dialog-class";
import { discardDrafts } from "@/app/_components/form/draft-store";
import { hasVolatileChanges, listDirty, registerAsker } from "@/app/_components/form/leave-guard-store";

/** Asks, once, when a page with unsaved changes is left: to stay, to leave them as a draft, or to discard them. */
export function LeaveDialog() {
  const [settle, setSettle] = useState<((mayLeave: boolean) => void) | null>(null);
  const stay = useRef<HTMLButtonElement>(null);
  useEffect(
    () =>
      registerAsker(
        () =>
          new Promise((resolve) => {
            setSettle(() => resolve);
          }),
      ),
    [],
  );
  const answer = (mayLeave: boolean) => {
    settle?.(mayLeave);
    setSettle(null);
  };
  const isLost = settle !== null && hasVolatileChanges();
  return (
    <AlertDialog.Root
      open={settle !== null}
      onOpenChange={(isOpen) => {
        if (!isOpen) answer(false);
      }}
    >
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className={backdropClass} />
        <AlertDialog.Viewport className={viewportClass}>
          <AlertDialog.Popup className={dialogClass("md")} initialFocus={stay}>
            <div className="px-5 pt-4 pb-5">
              <AlertDialog.Title className="text-base leading-6 font-semibold">
                Leave unsaved changes?
              </AlertDialog.Title>
              <AlertDialog.Description className="mt-2 text-muted">
                {isLost
                  ? "They cannot be kept: a private key is not written into the browser's storage."
                  : "They can wait in this tab as a draft: you find them again when you come back to this page."}
              </AlertDialog.Description>
            </div>
            <footer className={dialogFooterClass}>
              <Button
                variant="ghost"
                className="mr-auto text-bad"
                onClick={() => {
                  discardDrafts(listDirty());
                  answer(true);
                }}
              >
                Discard
              </Button>
              <Button
                ref={stay}
                onClick={() => {
                  answer(false);
                }}
              >
                Stay
              </Button>
              {!isLost && (
                <Button
                  variant="primary"
                  onClick={() => {
                    answer(true);
                  }}
                >
                  Leave as draft
                </Button>
              )}
            </footer>
          </AlertDialog.Popup>
        </AlertDialog.Viewport>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}
