import { useSyncExternalStore } from "react";

/* Menus, tooltips and toasts weigh as much as the rest of the page, so they load on the reader's first action. */

const signs = ["pointermove", "pointerdown", "touchstart", "keydown"] as const;
const listeners = new Set<() => void>();
let hasActed = false;

/** Something is about to need the code and must not get lost. */
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
