"use client";
import { ClipboardCopy } from "lucide-react";
import { Button } from "@/app/_components/ui/button";
import { showDone, showProblem } from "@/app/_components/feedback/show-toast";

/** Contains no secrets. */
export function CopyDiagnostics({ diagnostics }: Readonly<{ diagnostics: object }>) {
  async function copy() {
    try {
      await navigator.clipboard.writeText(JSON.stringify(diagnostics, null, 2));
      showDone("Diagnostics copied");
    } catch (error) {
      showProblem(error);
    }
  }
  return (
    <Button onClick={() => void copy()}>
      <ClipboardCopy aria-hidden="true" />
      Copy diagnostics
    </Button>
  );
}
