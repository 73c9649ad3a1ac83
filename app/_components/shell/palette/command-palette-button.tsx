"use client";
import { Search } from "lucide-react";
import { useSyncExternalStore } from "react";
import { Button } from "@/app/_components/ui/button";
import { openPalette } from "@/app/_components/shell/palette/command-palette";

/** Opens the command palette; in the same place on every page, with its keys where there is room. */
export function CommandPaletteButton() {
  const isMac = useSyncExternalStore(
    () => () => undefined,
    () => navigator.platform.startsWith("Mac"),
    () => false,
  );
  return (
    <Button
      aria-haspopup="dialog"
      aria-keyshortcuts="Control+K Meta+K"
      className="px-2 text-muted max-lg:size-8 max-lg:border-transparent max-lg:bg-transparent max-lg:p-0 max-lg:text-text pointer-coarse:max-lg:size-11"
      onClick={openPalette}
    >
      <Search aria-hidden="true" />
      <span className="pr-10 font-normal max-lg:sr-only">
        Search <span className="sr-only">everything</span>
      </span>
      <kbd aria-hidden="true" className="font-sans text-2xs max-lg:hidden">
        {isMac ? "⌘ K" : "Ctrl K"}
      </kbd>
    </Button>
  );
}
