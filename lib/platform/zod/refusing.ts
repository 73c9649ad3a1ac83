import { z } from "zod";

/** Thrown by the function that reads a value: the sentence that refuses it. */
export class Refusal extends Error {}

/**
 * A schema whose values a function reads; the `Refusal` that it throws becomes the issue, every other error stays one. Safe
 * in the browser.
 *
 * @param schema of the values that can be read at all
 * @returns to be described by `taking`: what `read` understands cannot be seen from outside
 */
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
