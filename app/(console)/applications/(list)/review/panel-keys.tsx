import { useListener } from "@/app/_components/hooks/use-listener";
import { usePreference } from "@/app/_components/hooks/use-preference";

/** Only while the panel has the focus: a dialog above it keeps its own keys. */
export function usePanelKeys(keys: Readonly<Record<string, (() => void) | undefined>>): void {
  const [setting] = usePreference("shortcuts");
  useListener("keydown", (event) => {
    const isModified = event.ctrlKey || event.metaKey || event.altKey || event.repeat;
    const isWithin = event.target instanceof Element && event.target.closest("[data-review]") !== null;
    if (setting === "off" || event.defaultPrevented || isModified || !isWithin) return;
    const act = Object.hasOwn(keys, event.key) ? keys[event.key] : undefined;
    if (act === undefined) return;
    event.preventDefault();
    act();
  });
}

export function Key({ name }: Readonly<{ name: string }>) {
  return (
    <kbd
      aria-hidden="true"
      className="grid h-4.5 min-w-4.5 place-items-center rounded-[4px] border border-current px-1 font-sans text-2xs font-medium opacity-70 max-sm:hidden"
    >
      {name}
    </kbd>
  );
}
