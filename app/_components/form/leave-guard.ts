import { useEffect } from "react";
import { useListener } from "@/app/_components/hooks/use-listener";

/** A plain store, because sessions also end outside of React. */
const dirtyKeys = new Set<string>();

export function noteDirty(key: string, isDirty: boolean): void {
  if (isDirty) dirtyKeys.add(key);
  else dirtyKeys.delete(key);
}

export function listDirty(): readonly string[] {
  return [...dirtyKeys];
}

/** For a page that we leave ourselves. */
export function stopGuarding(): void {
  dirtyKeys.clear();
}

/** Asks only before closing or reloading the tab; drafts survive every other way. */
export function useLeaveGuard(key: string, isDirty: boolean): void {
  useEffect(() => {
    noteDirty(key, isDirty);
    return () => noteDirty(key, false);
  }, [key, isDirty]);
  useListener("beforeunload", (event) => {
    if (isDirty && dirtyKeys.has(key)) event.preventDefault();
  });
}
