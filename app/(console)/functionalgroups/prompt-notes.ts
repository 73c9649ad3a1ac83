import type { Tone } from "@/app/_components/ui/chip";
import type { PromptState } from "@/lib/content/groups/console-rows";

/** What of a prompt is worth a word in lists: what keeps a group from production, or changes what drivers read. */
export const promptNotes: Readonly<Record<PromptState, { readonly tone: Tone; readonly word: string } | null>> = {
  production: null,
  modified: { tone: "warn", word: "Modified" },
  staging: { tone: "warn", word: "Staging only" },
  missing: { tone: "bad", word: "Missing" },
};
