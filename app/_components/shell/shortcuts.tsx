"use client";
import { usePathname } from "next/navigation";
import { useRef, useState } from "react";
import { usePageEnvironment } from "@/app/_components/shell/bars/environment";
import { environmentUse, keyedPages } from "@/app/_components/shell/navigation/sections";
import { isTyping } from "@/app/_components/hooks/is-typing";
import { useListener } from "@/app/_components/hooks/use-listener";
import { useNavigate } from "@/app/_components/hooks/use-navigate";
import { usePreference } from "@/app/_components/hooks/use-preference";
import { dialogOnDemand } from "@/app/_components/overlay/on-demand";

const ShortcutHelp = dialogOnDemand(() => import("@/app/_components/shell/shortcut-help").then((m) => m.ShortcutHelp));

const openEvent = "policy-server:shortcut-help";
declare global {
  interface WindowEventMap {
    [openEvent]: Event;
  }
}
/** Maximum time between the two keys. */
const secondKeyMs = 1500;

export function openShortcutHelp(): void {
  window.dispatchEvent(new Event(openEvent));
}

/**
 * Shortcuts on every page: `g` and a letter, `?`, and `e` to edit an item viewed in production. Off if the reader has
 * turned single keys off.
 */
export function Shortcuts() {
  const [isHelpOpen, setIsHelpOpen] = useState(false);
  const [setting] = usePreference("shortcuts");
  const navigate = useNavigate();
  const pathname = usePathname();
  const isEditedElsewhere = usePageEnvironment() === "production" && showsOneItem(pathname);

  const goingSince = useRef(-Infinity);
  useListener(openEvent, () => setIsHelpOpen(true));
  useListener("keydown", (event) => {
    const isModified = event.ctrlKey || event.metaKey || event.altKey;
    if (setting === "off" || isModified || event.defaultPrevented || isTyping(event.target)) return;
    const isGoing = event.timeStamp - goingSince.current < secondKeyMs;
    goingSince.current = event.key === "g" && !isGoing ? event.timeStamp : -Infinity;
    if (event.key === "?") setIsHelpOpen(true);
    if (event.key === "e" && isEditedElsewhere) navigate(stagingAddress());
    const section = isGoing ? keyedPages.find(({ key }) => key === event.key) : undefined;
    if (section) navigate(section.href);
  });

  return isHelpOpen ? <ShortcutHelp onClose={() => setIsHelpOpen(false)} /> : null;
}

function showsOneItem(pathname: string): boolean {
  return environmentUse(pathname) === "tell" || pathname === "/moduleconfig";
}

function stagingAddress(): string {
  const { pathname, search } = window.location;
  const query = new URLSearchParams(search);
  query.set("environment", "staging");
  return `${pathname}?${query.toString()}`;
}
