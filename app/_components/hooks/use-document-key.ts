"use client";
import { useEffectEvent, useLayoutEffect } from "react";

/** Hears every key that is pressed on the page, with what is known at the last rendering. */
export function useDocumentKey(onKey: (event: KeyboardEvent) => void): void {
  const hear = useEffectEvent(onKey);
  // In the same step that shows the page: a key that is pressed on what can be seen is heard.
  useLayoutEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => hear(event);
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, []);
}

/** Ctrl or Cmd with a key, and nothing else. */
export function isCommand(event: KeyboardEvent): boolean {
  return (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey;
}
