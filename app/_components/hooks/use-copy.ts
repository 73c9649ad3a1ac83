import { useCallback, useState } from "react";

type CopyState = "idle" | "copied" | "failed";

export interface Copying {
  readonly state: CopyState;
  /** `label`, or what became of it. */
  readonly words: string;
  readonly copy: () => Promise<void>;
  /** Says `label` again. */
  readonly forget: () => void;
}

export function useCopy(text: string, label: string): Copying {
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
