"use client";

/*
 * Which drafts on this page differ from what was loaded, and who asks about them. A plain store: navigation happens
 * outside of React, too.
 */

const dirtyKeys = new Set<string>();
type Asker = () => Promise<boolean>;
let asker: Asker | null = null;
const waiting = new Set<() => void>();
/** The dialog is loaded on demand; where it does not come, nobody is held for longer. Milliseconds. */
const timeoutMs = 5_000;

/** Notes whether a draft on this page has unsaved changes. */
export function noteDirty(key: string, isDirty: boolean): void {
  if (isDirty) dirtyKeys.add(key);
  else dirtyKeys.delete(key);
}

/** The keys of the drafts with unsaved changes. */
export function listDirty(): readonly string[] {
  return [...dirtyKeys];
}

/**
 * Whether some of it would be lost for good: keys that begin with `volatile:` are of what must not lie in the browser's
 * storage, such as private keys.
 */
export function hasVolatileChanges(): boolean {
  return listDirty().some((key) => key.startsWith("volatile:"));
}

/** The dialog of the shell registers itself here. */
export function registerAsker(ask: Asker): () => void {
  asker = ask;
  for (const go of waiting) go();
  return () => {
    if (asker === ask) asker = null;
  };
}

/** For who leaves after having been asked: the browser does not ask again. */
export function stopGuarding(): void {
  dirtyKeys.clear();
}

/** Parameters that choose another item; all others only show the same one differently. */
const itemParameters = ["id", "name", "category", "from", "environment", "version"];

/** Whether going to an address would leave unsaved changes behind. */
export function leavesUnsaved(href: string): boolean {
  if (dirtyKeys.size === 0) return false;
  const [from, to] = [new URL(window.location.href), new URL(href, window.location.href)];
  if (from.origin !== to.origin || from.pathname !== to.pathname) return true;
  return itemParameters.some((name) => from.searchParams.get(name) !== to.searchParams.get(name));
}

/** Whether the reader wants to leave. True where nobody can ask; the draft is kept in any case. */
export async function askToLeave(): Promise<boolean> {
  if (asker === null) {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, timeoutMs);
      waiting.add(() => {
        clearTimeout(timer);
        resolve();
      });
    });
    waiting.clear();
  }
  return asker === null ? true : asker();
}
