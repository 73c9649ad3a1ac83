"use client";
import { useEffect, useRef } from "react";
import { isTyping } from "@/app/_components/hooks/is-typing";
import { usePreference } from "@/app/_components/hooks/use-preference";

/** Keys that act without a modifier, unless something is being typed or the reader has switched them off. */
export function useSingleKeys(keys: Readonly<Record<string, (() => void) | undefined>>): void {
  const [setting] = usePreference("shortcuts");
  const latest = useRef(keys);
  useEffect(() => {
    latest.current = keys;
  });
  useEffect(() => {
    if (setting === "off") return;
    const onKeyDown = (event: KeyboardEvent) => {
      const isModified = event.ctrlKey || event.metaKey || event.altKey || event.repeat;
      if (event.defaultPrevented || isModified || isTyping(event.target)) return;
      const act = Object.hasOwn(latest.current, event.key) ? latest.current[event.key] : undefined;
      if (act === undefined) return;
      event.preventDefault();
      act();
    };
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, [setting]);
}
