import { useEffect } from "react";
import { useListener } from "@/app/_components/hooks/use-listener";

/** Unsaved drafts on this page. A plain store, because sessions also end outside of React. */
const dirtyKeys = new Set<string>();

/** Records whether a draft on this page has unsaved changes. */
export function noteDirty(key: string, isDirty: boolean): void {
  if (isDirty) dirtyKeys.add(key);
  else dirtyKeys.delete(key);
}

/** The keys of the drafts with unsaved changes. */
export function listDirty(): readonly string[] {
  return [...dirtyKeys];
}

/** Suppresses the browser's question, for a page that we leave ourselves. */
export function stopGuarding(): void {
  dirtyKeys.clear();
}

/** Has the browser ask before the tab is closed or reloaded with unsaved changes. Drafts survive every other way. */
export function useLeaveGuard(key: string, isDirty: boolean): void {
  useEffect(() => {
    noteDirty(key, isDirty);
    return () => noteDirty(key, false);
  }, [key, isDirty]);
  useListener("beforeunload", (event) => {
    if (isDirty && dirtyKeys.has(key)) event.preventDefault();
  });
}
