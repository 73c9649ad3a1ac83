import type { Tone } from "@/app/_components/ui/chip";
import type { PromptState } from "@/lib/records/groups/console-rows";

/** These states keep a group from production, or change what drivers read. */
export const promptNotes: Readonly<Record<PromptState, { readonly tone: Tone; readonly word: string } | null>> = {
  production: null,
  modified: { tone: "warn", word: "Modified" },
  staging: { tone: "warn", word: "Staging only" },
  missing: { tone: "bad", word: "Missing" },
};
