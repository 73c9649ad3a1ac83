"use client";
import { Check, Copy } from "lucide-react";
import { useEffect, useState } from "react";
import { IconButton } from "@/app/_components/ui/icon-button";

const shownMs = 1500;

/** Puts a text on the clipboard, and says so. */
export function CopyButton({ text, label = "Copy" }: Readonly<{ text: string; label?: string }>) {
  const [state, setState] = useState<"idle" | "copied" | "failed">("idle");
  useEffect(() => {
    if (state === "idle") return;
    const timer = setTimeout(() => setState("idle"), shownMs);
    return () => clearTimeout(timer);
  }, [state]);

  async function copy() {
    try {
      await navigator.clipboard.writeText(text);
      setState("copied");
    } catch {
      setState("failed");
    }
  }

  const words = { idle: label, copied: "Copied", failed: "Copying is not allowed here" } as const;
  return (
    <>
      <IconButton
        icon={state === "copied" ? Check : Copy}
        label={words[state]}
        size="icon-sm"
        className="size-6 text-muted [&_svg]:size-3.5"
        onClick={() => void copy()}
      />
      <span aria-live="polite" className="sr-only">
        {state === "idle" ? "" : words[state]}
      </span>
    </>
  );
}
