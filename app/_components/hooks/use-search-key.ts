import { isTyping } from "@/app/_components/hooks/is-typing";
import { useListener } from "@/app/_components/hooks/use-listener";
import { usePreference } from "@/app/_components/hooks/use-preference";

/** Makes `/` focus the search of a page, unless the reader has turned single keys off. Returns whether it does. */
export function useSearchKey(findField: () => HTMLInputElement | null | undefined): boolean {
  const [setting] = usePreference("shortcuts");
  useListener("keydown", (event) => {
    const isModified = event.ctrlKey || event.metaKey || event.altKey || event.repeat;
    if (event.key !== "/" || setting === "off" || event.defaultPrevented || isModified || isTyping(event.target))
      return;
    event.preventDefault();
    const field = findField();
    field?.focus();
    field?.select();
  });
  return setting === "on";
}
