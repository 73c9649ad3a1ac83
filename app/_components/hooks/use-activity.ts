import { useSyncExternalStore } from "react";

/*
 * What a page needs only for somebody who acts on it (layers of menus and tooltips, toasts) weighs as much as the rest of
 * the page. It is fetched when the reader first points at or types into the page, which is before it is needed.
 */

const signs = ["pointermove", "pointerdown", "touchstart", "keydown"] as const;
const listeners = new Set<() => void>();
let hasActed = false;

/** Says that what acting readers need will be needed now: there is something that must not get lost. */
export function noteActivity(): void {
  if (hasActed) return;
  hasActed = true;
  for (const sign of signs) window.removeEventListener(sign, noteActivity, true);
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0 && !hasActed) {
    for (const sign of signs) window.addEventListener(sign, noteActivity, { capture: true, passive: true });
  }
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function useActivity(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => hasActed,
    () => false,
  );
}
