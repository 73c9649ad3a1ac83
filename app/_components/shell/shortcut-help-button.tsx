"use client";
import { Keyboard } from "lucide-react";
import { IconButton } from "@/app/_components/ui/icon-button";
import { openShortcutHelp } from "@/app/_components/shell/shortcuts";

/** Opens the list of keys; in the same place on every page. */
export function ShortcutHelpButton() {
  return <IconButton icon={Keyboard} label="Keyboard shortcuts" className="max-sm:hidden" onClick={openShortcutHelp} />;
}
