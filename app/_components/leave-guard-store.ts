"use client";

/*
 * Which drafts on this page differ from what was loaded, and who asks about them. A plain store: navigation happens
 * outside of React, too.
 */

const dirtyKeys = new Set<string>();
type Asker = () => Promise<boolean>;
let asker: Asker | null = null;

/** Notes whether a draft on this page has unsaved changes. */
export function noteDirty(key: string, isDirty: boolean): void {
  if (isDirty) dirtyKeys.add(key);
  else dirtyKeys.delete(key);
}

/** Whether leaving the page would leave unsaved changes behind. */
export function hasUnsavedChanges(): boolean {
  return dirtyKeys.size > 0;
}

/** The keys of the drafts with unsaved changes. */
export function listDirty(): readonly string[] {
  return [...dirtyKeys];
}

/** The dialog of the shell registers itself here. */
export function registerAsker(ask: Asker): () => void {
  asker = ask;
  return () => {
    if (asker === ask) asker = null;
  };
}

/** Whether the page may be left: at once without unsaved changes, else as the reader decides. */
export function askToLeave(): Promise<boolean> {
  if (!hasUnsavedChanges() || asker === null) return Promise.resolve(true);
  return asker();
}
