"one per process";

import { z } from "zod";
import { whyNotWhole, whyUnfitText } from "@/lib/vocabulary/whole-text";

export class Refusal extends Error {}

/** A schema whose values `read` parses; a `Refusal` becomes an issue. Describe it with `taking`. Safe in the browser. */
export function refusing<S extends z.ZodType, T>(schema: S, read: (value: z.output<S>) => T) {
  return schema.transform((value, context) => {
    try {
      return read(value);
    } catch (refusal) {
      // `instanceof` works here, because callers import the class from this module.
      if (!(refusal instanceof Refusal)) throw refusal;
      context.addIssue({ code: "custom", message: refusal.message });
      return z.NEVER;
    }
  });
}

export function passIssuesOn({ issues }: z.ZodError, context: z.RefinementCtx): void {
  for (const { path, message } of issues) context.addIssue({ code: "custom", path, message });
}

/** For `superRefine`: refuses characters that nobody sees (`exchange.md` X1c). `hasLines`: allows several lines. */
export function visibleText(subject: string, hasLines = false) {
  return (text: string, context: z.RefinementCtx): void => {
    const why = whyUnfitText(text, hasLines);
    if (why !== null) context.addIssue(`${subject} ${why}`);
  };
}

/** A check for `superRefine`: refuses a text that head units would reject or change. */
export function wholeText(subject: string) {
  return (text: string, context: z.RefinementCtx): void => {
    const why = whyNotWhole(text);
    if (why !== null) context.addIssue(`${subject} ${why}`);
  };
}
