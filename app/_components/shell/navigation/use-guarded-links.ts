"use client";
import { useRouter } from "next/navigation";
import { useEffect } from "react";
import { askToLeave, leavesUnsaved } from "@/app/_components/form/leave-guard-store";

/**
 * Asks before a link, or back and forward, leaves unsaved changes behind. Browsers without the Navigation API cannot be
 * held on the way back; the draft is kept there as everywhere.
 */
export function useGuardedLinks(): void {
  const router = useRouter();
  useEffect(() => {
    const onClick = (event: MouseEvent) => {
      if (
        event.defaultPrevented ||
        event.button !== 0 ||
        event.metaKey ||
        event.ctrlKey ||
        event.shiftKey ||
        event.altKey
      )
        return;
      const link = event.target instanceof Element ? event.target.closest("a") : null;
      if (link === null || link.target === "_blank" || link.hasAttribute("download") || !leavesUnsaved(link.href))
        return;
      // Before the router sees it, which listens further down.
      event.preventDefault();
      event.stopPropagation();
      const { href } = link;
      void askToLeave().then((mayLeave) => {
        if (mayLeave) go(href, router.push.bind(router));
      });
    };
    window.addEventListener("click", onClick, true);
    const stopTraversals = guardTraversals();
    return () => {
      window.removeEventListener("click", onClick, true);
      stopTraversals();
    };
  }, [router]);
}

function go(href: string, push: (path: string) => void): void {
  const { origin, pathname, search, hash } = new URL(href);
  if (origin === window.location.origin) push(pathname + search + hash);
  else window.location.assign(href);
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
  return () => {
    navigation.removeEventListener("navigate", onNavigate);
  };
}
