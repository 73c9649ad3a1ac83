import { isTyping } from "@/app/_components/hooks/is-typing";
import { useListener } from "@/app/_components/hooks/use-listener";
import { usePreference } from "@/app/_components/hooks/use-preference";

/** Unless the reader has turned single keys off; returns whether `/` works. */
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
