import type { RefObject } from "react";
import { usePreference } from "@/app/_components/hooks/use-preference";
import { useSingleKeys } from "@/app/_components/hooks/use-single-keys";

/** Lets `/` lead to the search of a page, unless the reader has switched single keys off. Gives whether it does. */
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
