import { z } from "zod";

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
