"use client";
import { useEffect } from "react";
import { listDirty, noteDirty } from "@/app/_components/form/leave-guard-store";
import { noteActivity } from "@/app/_components/hooks/use-activity";

/** Has the reader asked before unsaved changes are left: by links and back in our words, else in the browser's. */
export function useLeaveGuard(key: string, isDirty: boolean): void {
  useEffect(() => {
    noteDirty(key, isDirty);
    if (!isDirty) return;
    // The question before leaving is loaded on demand; a draft that was found again needs it without a key pressed.
    noteActivity();
    const onBeforeUnload = (event: BeforeUnloadEvent) => {
      if (listDirty().includes(key)) event.preventDefault();
    };
    window.addEventListener("beforeunload", onBeforeUnload);
    return () => {
      window.removeEventListener("beforeunload", onBeforeUnload);
      noteDirty(key, false);
    };
  }, [key, isDirty]);
}
