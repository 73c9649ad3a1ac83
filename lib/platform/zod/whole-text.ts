import type { z } from "zod";
import { whyNotWhole } from "@/lib/labels/whole-text";

/** A check for `superRefine`: refuses a text that head units would not take, or not keep, as it is. */
export function wholeText(subject: string) {
  return (text: string, context: z.RefinementCtx): void => {
    const why = whyNotWhole(text);
    if (why !== null) context.addIssue(`${subject} ${why}`);
  };
}
