"use client";
import { Check, Copy } from "lucide-react";
import { useEffect } from "react";
import { useCopy } from "@/app/_components/hooks/use-copy";
import { IconButton } from "@/app/_components/ui/icon-button";

const shownMs = 1500;

export function CopyButton({ text, label = "Copy" }: Readonly<{ text: string; label?: string }>) {
  const { state, words, copy, forget } = useCopy(text, label);
  useEffect(() => {
    if (state === "idle") return;
    const timer = setTimeout(forget, shownMs);
    return () => clearTimeout(timer);
  }, [state, forget]);

  return (
    <>
      <IconButton
        icon={state === "copied" ? Check : Copy}
        label={words}
        size="icon-sm"
        className="size-6 text-muted [&_svg]:size-3.5"
        onClick={() => void copy()}
      />
      <span aria-live="polite" className="sr-only">
        {state === "idle" ? "" : words}
      </span>
    </>
  );
}
