import { useCallback, useState } from "react";

type CopyState = "idle" | "copied" | "failed";

/** `words` is `label`, or the result until `forget` is called. */
export function useCopy(text: string, label: string) {
  const [state, setState] = useState<CopyState>("idle");

  async function copy() {
    try {
      await navigator.clipboard.writeText(text);
      setState("copied");
    } catch {
      setState("failed");
    }
  }

  const forget = useCallback(() => setState("idle"), []);
  const words = { idle: label, copied: "Copied", failed: "Copying is not allowed in this browser" } as const;
  return { state, words: words[state], copy, forget };
}
