import { z } from "zod";
import { saveMessagesBody } from "@/lib/records/messages/schema";
import type { TakenName } from "@/lib/records/messages/console-queries";
import { whyUnfitName } from "@/lib/vocabulary/whole-text";
import { findTextProblems, type MessageDraft, findTaken } from "../message-draft";

/** Loaded with the first save. */
export function buildSaveCheck({
  draft,
  base,
  languageIds,
  takenNames,
}: Readonly<{
  draft: MessageDraft;
  base: MessageDraft;
  languageIds: readonly string[];
  takenNames: readonly TakenName[];
}>): z.ZodType {
  const category = String(draft["category"]);
  const problems = Object.entries(findTextProblems(draft, base, languageIds));
  return z
    .unknown()
    .superRefine((_body, context) => {
      const add = (member: string, message: string) => context.addIssue({ code: "custom", path: [member], message });
      const taken = findTaken(category, takenNames);
      const unfit = whyUnfitName(category);
      if (category.trim() === "") add("category", "Give the message a name");
      else if (unfit !== null) add("category", `The name ${unfit}`);
      else if (taken) add("category", `There is already a message ${taken.name}. Choose another name`);
      for (const [member, message] of problems) add(member, message);
    })
    .pipe(saveMessagesBody);
}
