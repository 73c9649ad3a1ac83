import { useRouter } from "next/navigation";
import { useEffect } from "react";
import { useListener } from "@/app/_components/hooks/use-listener";

/*
 * Unsaved drafts on this page, and the dialog that asks about them. A plain store, because navigation also happens
 * outside of React.
 */

const dirtyKeys = new Set<string>();
type Asker = () => Promise<boolean>;
let asker: Asker | null = null;

/** Records whether a draft on this page has unsaved changes. */
export function noteDirty(key: string, isDirty: boolean): void {
  if (isDirty) dirtyKeys.add(key);
  else dirtyKeys.delete(key);
}

/** The keys of the drafts with unsaved changes. */
export function listDirty(): readonly string[] {
  return [...dirtyKeys];
}

/**
 * Whether leaving would lose changes for good: `volatile:` keys mark values that must not be in the browser's storage,
 * such as private keys.
 */
export function hasVolatileChanges(): boolean {
  return listDirty().some((key) => key.startsWith("volatile:"));
}

/** The shell registers its dialog here. */
export function registerAsker(ask: Asker): () => void {
  asker = ask;
  return () => {
    if (asker === ask) asker = null;
  };
}

/** Suppresses the browser's question for readers who have already answered ours. */
export function stopGuarding(): void {
  dirtyKeys.clear();
}

/** Parameters that select another item; all others only change the view. */
const itemParameters = ["id", "name", "category", "from", "environment", "version"];

/** Whether opening an address would leave unsaved changes. */
export function leavesUnsaved(href: string): boolean {
  if (dirtyKeys.size === 0) return false;
  const [from, to] = [new URL(window.location.href), new URL(href, window.location.href)];
  if (from.origin !== to.origin || from.pathname !== to.pathname) return true;
  return itemParameters.some((name) => from.searchParams.get(name) !== to.searchParams.get(name));
}

/** Whether the reader agrees to leave. True if no dialog is registered; the draft is kept anyway. */
export async function askToLeave(): Promise<boolean> {
  return asker === null ? true : asker();
}

/** Asks before unsaved changes are left: with our dialog for links and back, otherwise with the browser's. */
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
 * Asks before a link, or back and forward, leaves unsaved changes. Without the Navigation API, browsers cannot stop
 * back and forward; the draft is kept there too.
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
      // Runs before the router, which listens further down.
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

/** The part of the Navigation API used here; not every type library has it. */
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
