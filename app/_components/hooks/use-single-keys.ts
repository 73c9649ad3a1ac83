import type { RefObject } from "react";
import { isTyping } from "@/app/_components/hooks/is-typing";
import { useListener } from "@/app/_components/hooks/use-listener";
import { usePreference } from "@/app/_components/hooks/use-preference";

/** Keys that act without a modifier, unless somebody is typing or has turned them off. */
export function useSingleKeys(keys: Readonly<Record<string, (() => void) | undefined>>): void {
  const [setting] = usePreference("shortcuts");
  useListener("keydown", (event) => {
    const isModified = event.ctrlKey || event.metaKey || event.altKey || event.repeat;
    if (setting === "off" || event.defaultPrevented || isModified || isTyping(event.target)) return;
    const act = Object.hasOwn(keys, event.key) ? keys[event.key] : undefined;
    if (act === undefined) return;
    event.preventDefault();
    act();
  });
}

/** Makes `/` focus the search of a page, unless the reader has turned single keys off. Returns whether it does. */
export function useSearchKey(field: RefObject<HTMLInputElement | null>): boolean {
  const [setting] = usePreference("shortcuts");
  useSingleKeys({
    "/": () => {
      field.current?.focus();
      field.current?.select();
    },
  });
  return setting === "on";
}
