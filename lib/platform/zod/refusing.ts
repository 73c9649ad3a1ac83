import { z } from "zod";
import { whyNotWhole } from "@/lib/labels/whole-text";

/** Thrown by the function that reads a value: the sentence that refuses it. */
export class Refusal extends Error {}

/** A schema whose values `read` parses; a `Refusal` becomes the issue. Describe it with `taking`. For browsers too. */
export function refusing<S extends z.ZodType, T>(schema: S, read: (value: z.output<S>) => T) {
  return schema.transform((value, context) => {
    try {
      return read(value);
    } catch (refusal) {
      // Whoever calls this has its class from here: there is no other copy of it to be thrown.
      if (!(refusal instanceof Refusal)) throw refusal;
      context.addIssue({ code: "custom", message: refusal.message });
      return z.NEVER;
    }
  });
}

/** Reports what a schema has found inside the transformation of another one, each at its own member. */
export function passOn({ issues }: z.ZodError, context: z.RefinementCtx): void {
  for (const { path, message } of issues) context.addIssue({ code: "custom", path, message });
}

/** A check for `superRefine`: refuses a text that head units would not take, or not keep, as it is. */
export function wholeText(subject: string) {
  return (text: string, context: z.RefinementCtx): void => {
    const why = whyNotWhole(text);
    if (why !== null) context.addIssue(`${subject} ${why}`);
  };
}
