"use client";
import dynamic from "next/dynamic";
import { useEffect, useState } from "react";
import { useActivity } from "@/app/_components/hooks/use-activity";

const load = () => import("@/app/_components/shell/palette/command-palette-layer").then((m) => m.CommandPaletteLayer);
const PaletteLayer = dynamic(load, { ssr: false });

const openEvent = "policy-server:palette";

export function openPalette(): void {
  window.dispatchEvent(new Event(openEvent));
}

/** The command palette: Ctrl/Cmd-K opens it from wherever the focus is, unless a dialog waits for an answer. */
export function CommandPalette({ canSignOut }: Readonly<{ canSignOut: boolean }>) {
  const [isOpen, setIsOpen] = useState(false);
  const [wasOpened, setWasOpened] = useState(false);
  const isActive = useActivity();
  useEffect(() => {
    // What is typed at once after the keys must find the field.
    if (isActive) void load();
  }, [isActive]);
  useEffect(() => {
    const open = () => {
      setWasOpened(true);
      setIsOpen(true);
    };
    const onKeyDown = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey || event.key.toLowerCase() !== "k")
        return;
      // Browsers would go to their own search.
      event.preventDefault();
      if (!document.querySelector("[role=dialog],[role=alertdialog]")) open();
    };
    window.addEventListener(openEvent, open);
    document.addEventListener("keydown", onKeyDown);
    return () => {
      window.removeEventListener(openEvent, open);
      document.removeEventListener("keydown", onKeyDown);
    };
  }, []);
  return wasOpened ? <PaletteLayer isOpen={isOpen} onOpenChange={setIsOpen} canSignOut={canSignOut} /> : null;
}
