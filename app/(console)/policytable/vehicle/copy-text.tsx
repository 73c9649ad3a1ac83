"use client";
import { Check, Copy } from "lucide-react";
import { useCopy } from "@/app/_components/hooks/use-copy";
import { Button } from "@/app/_components/ui/button";

/** Puts a text on the clipboard, as a button with words. */
export function CopyText({ text, label }: Readonly<{ text: string; label: string }>) {
  const { state, words, copy, forget } = useCopy(text, label);
  return (
    <Button size="sm" onClick={() => void copy()} onBlur={forget}>
      {state === "copied" ? <Check aria-hidden="true" /> : <Copy aria-hidden="true" />}
      <span aria-live="polite">{words}</span>
    </Button>
  );
}
