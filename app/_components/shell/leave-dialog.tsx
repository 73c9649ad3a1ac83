import { useEffect, useRef, useState } from "react";
import { discardDrafts } from "@/app/_components/form/draft-store";
import { hasVolatileChanges, listDirty, registerAsker, useGuardedLinks } from "@/app/_components/form/leave-guard";
import { Dialog } from "@/app/_components/overlay/dialog";
import { Button } from "@/app/_components/ui/button";

/** Asks once before a page with unsaved changes is left: stay, keep them as a draft, or discard them. */
export function LeaveDialog() {
  const [settle, setSettle] = useState<((mayLeave: boolean) => void) | null>(null);
  const stay = useRef<HTMLButtonElement>(null);
  useGuardedLinks();
  useEffect(() => registerAsker(() => new Promise((resolve) => setSettle(() => resolve))), []);
  const answer = (mayLeave: boolean) => {
    settle?.(mayLeave);
    setSettle(null);
  };
  function discard() {
    discardDrafts(listDirty());
    answer(true);
  }
  const isLost = settle !== null && hasVolatileChanges();
  return (
    <Dialog
      open={settle !== null}
      onOpenChange={() => answer(false)}
      isUrgent
      title="Leave unsaved changes?"
      description={
        isLost
          ? "They cannot be kept: a private key is not written into the browser's storage."
          : "They can wait in this tab as a draft: you find them again when you come back to this page."
      }
      initialFocus={stay}
      footer={
        <>
          <Button variant="ghost" className="mr-auto text-bad" onClick={discard}>
            Discard
          </Button>
          <Button ref={stay} onClick={() => answer(false)}>
            Stay
          </Button>
          {!isLost && (
            <Button variant="primary" onClick={() => answer(true)}>
              Leave as draft
            </Button>
          )}
        </>
      }
    />
  );
}
