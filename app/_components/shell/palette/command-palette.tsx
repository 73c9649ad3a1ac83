"use client";
import { useState } from "react";
import { isDialogOpen } from "@/app/_components/hooks/is-typing";
import { isCommand, useListener } from "@/app/_components/hooks/use-listener";
import { overlay } from "@/app/_components/overlay/on-demand";

const CommandPaletteDialog = overlay(() =>
  import("@/app/_components/shell/palette/command-palette-dialog").then((m) => m.CommandPaletteDialog),
);

const openEvent = "policy-server:palette";
declare global {
  interface WindowEventMap {
    [openEvent]: Event;
  }
}

export function openPalette(): void {
  window.dispatchEvent(new Event(openEvent));
}

export function CommandPalette({ canSignOut }: Readonly<{ canSignOut: boolean }>) {
  const [isOpen, setIsOpen] = useState(false);
  useListener(openEvent, () => setIsOpen(true));
  useListener("keydown", (event) => {
    if (!isCommand(event) || event.key.toLowerCase() !== "k") return;
    // Overrides the browser's search.
    event.preventDefault();
    if (!isDialogOpen()) setIsOpen(true);
  });
  return <CommandPaletteDialog open={isOpen} onOpenChange={setIsOpen} canSignOut={canSignOut} />;
}
