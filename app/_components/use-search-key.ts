"use client";
import { type RefObject, useEffect } from "react";
import { isTyping } from "@/app/_components/is-typing";
import { usePreference } from "@/app/_components/use-preference";

/** Lets `/` lead to the search of a page, unless the reader has switched single keys off. Gives whether it does. */
export function useSearchKey(field: RefObject<HTMLInputElement | null>): boolean {
  const [setting] = usePreference("shortcuts");
  const isOn = setting === "on";
  useEffect(() => {
    if (!isOn) return;
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      event.preventDefault();
      field.current?.focus();
      field.current?.select();
    };
    document.addEventListener("keydown", onKeyDown);
    return () => {
      document.removeEventListener("keydown", onKeyDown);
    };
  }, [isOn, field]);
  return isOn;
}
