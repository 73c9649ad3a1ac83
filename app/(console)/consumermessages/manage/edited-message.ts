import type { NamedLanguage } from "@/lib/labels/language-names";
import type { PromptUse } from "@/lib/content/messages/overview";
import type { Environment } from "@/lib/labels/vocabulary";
import type { MessageJson } from "../message-draft";

export interface EditedMessage {
  readonly message: MessageJson;
  readonly environment: Environment;
  readonly isInProduction: boolean;
  readonly uses: readonly PromptUse[];
  readonly languages: readonly NamedLanguage[];
}

/** A name that a new message cannot have; `isVisible` is false for one whose message has been removed. */
export interface TakenName {
  readonly name: string;
  readonly id: number;
  readonly isVisible: boolean;
}

/** The message that has this name. Names that differ in their letter case only would be mixed up by people. */
export function findTaken(name: string, takenNames: readonly TakenName[]): TakenName | null {
  const wanted = name.trim().toLowerCase();
  return takenNames.find((taken) => taken.isVisible && taken.name.toLowerCase() === wanted) ?? null;
}
