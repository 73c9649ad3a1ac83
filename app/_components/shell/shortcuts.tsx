"use client";
import dynamic from "next/dynamic";
import { useEffect, useState } from "react";
import { consoleSections } from "@/app/_components/shell/sections";
import { isTyping } from "@/app/_components/is-typing";
import { useNavigate } from "@/app/_components/use-navigate";
import { usePreference } from "@/app/_components/use-preference";

const ShortcutHelp = dynamic(() => import("@/app/_components/shell/shortcut-help").then((m) => m.ShortcutHelp), {
  ssr: false,
});

const openEvent = "policy-server:shortcut-help";
/** The second key must follow within this time. */
const patienceMs = 1500;

export function openShortcutHelp(): void {
  window.dispatchEvent(new Event(openEvent));
}

/** Keys that work on every page: `g` and a letter, and `?`. Off where the reader has switched single keys off. */
export function Shortcuts() {
  const [isHelpOpen, setIsHelpOpen] = useState(false);
  const [setting] = usePreference("shortcuts");
  const navigate = useNavigate();

  useEffect(() => {
    const open = () => {
      setIsHelpOpen(true);
    };
    window.addEventListener(openEvent, open);
    return () => {
      window.removeEventListener(openEvent, open);
    };
  }, []);

  useEffect(() => {
    if (setting === "off") return;
    let goingSince = -Infinity;
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || isTyping(event.target)) return;
      const isGoing = event.timeStamp - goingSince < patienceMs;
      goingSince = event.key === "g" && !isGoing ? event.timeStamp : -Infinity;
      if (event.key === "?") setIsHelpOpen(true);
      const section = isGoing ? consoleSections.find(({ key }) => key === event.key) : undefined;
      if (section) navigate(section.href);
    };
    document.addEventListener("keydown", onKeyDown);
    return () => {
      document.removeEventListener("keydown", onKeyDown);
    };
  }, [setting, navigate]);

  return isHelpOpen ? (
    <ShortcutHelp
      onClose={() => {
        setIsHelpOpen(false);
      }}
    />
  ) : null;
}
