"use client";
import { Check, Copy } from "lucide-react";
import { useState } from "react";
import { Button } from "@/app/_components/ui/button";

/** Puts a text on the clipboard, as a button with words. */
export function CopyText({ text, label }: Readonly<{ text: string; label: string }>) {
  const [state, setState] = useState<"idle" | "copied" | "failed">("idle");

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
    <Button size="sm" onClick={() => void copy()} onBlur={() => setState("idle")}>
      {state === "copied" ? <Check aria-hidden="true" /> : <Copy aria-hidden="true" />}
      <span aria-live="polite">{words[state]}</span>
    </Button>
  );
}
