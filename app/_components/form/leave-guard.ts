import { useRouter } from "next/navigation";
import { useEffect } from "react";
import { useListener } from "@/app/_components/hooks/use-listener";

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
  return asker === null ? true : asker();
}

/** Has the reader asked before unsaved changes are left: by links and back in our words, else in the browser's. */
export function useLeaveGuard(key: string, isDirty: boolean): void {
  useEffect(() => {
    noteDirty(key, isDirty);
    return () => noteDirty(key, false);
  }, [key, isDirty]);
  useListener("beforeunload", (event) => {
    if (isDirty && dirtyKeys.has(key)) event.preventDefault();
  });
}

/**
 * Asks before a link, or back and forward, leaves unsaved changes behind. Browsers without the Navigation API cannot be
 * held on the way back; the draft is kept there as everywhere.
 */
export function useGuardedLinks(): void {
  const router = useRouter();
  useListener(
    "click",
    (event) => {
      const isModified = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey;
      if (event.defaultPrevented || event.button !== 0 || isModified) return;
      const link = event.target instanceof Element ? event.target.closest("a") : null;
      if (link === null || link.target === "_blank" || link.hasAttribute("download") || !leavesUnsaved(link.href))
        return;
      // Before the router sees it, which listens further down.
      event.preventDefault();
      event.stopPropagation();
      const { href, origin, pathname, search, hash } = link;
      void askToLeave().then((mayLeave) => {
        if (!mayLeave) return;
        if (origin === window.location.origin) router.push(pathname + search + hash);
        else window.location.assign(href);
      });
    },
    { capture: true },
  );
  useEffect(guardTraversals, []);
}

/** What is used of the Navigation API, which the type library does not know everywhere. */
interface TraverseEvent extends Event {
  readonly navigationType: string;
  readonly destination: { readonly url: string; readonly key: string };
}
interface Navigation extends EventTarget {
  traverseTo(key: string): unknown;
}

function guardTraversals(): () => void {
  const { navigation } = window as unknown as { navigation?: Navigation };
  if (navigation === undefined) return () => undefined;
  let isAllowed = false;
  const onNavigate = (event: Event) => {
    const { navigationType, destination, cancelable } = event as TraverseEvent;
    if (navigationType !== "traverse" || !cancelable || isAllowed || !leavesUnsaved(destination.url)) {
      isAllowed = false;
      return;
    }
    event.preventDefault();
    void askToLeave().then((mayLeave) => {
      if (!mayLeave) return;
      isAllowed = true;
      navigation.traverseTo(destination.key);
    });
  };
  navigation.addEventListener("navigate", onNavigate);
  return () => navigation.removeEventListener("navigate", onNavigate);
}
