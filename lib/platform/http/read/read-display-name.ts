import { z } from "zod";
import { longestDisplayName, unfitInDisplayName } from "@/lib/platform/http/headers/display-name-header";

/** A UTF-16 unit takes at most three bytes of UTF-8, each written with three characters; more is not worth decoding. */
const longestHeader = longestDisplayName * 9;

const displayName = z
  .string()
  .max(longestHeader)
  // What is not ASCII was not encoded, and nobody can tell in which character set it was meant.
  .regex(/^[\x20-\x7e]*$/)
  .transform((text, context) => {
    try {
      return decodeURIComponent(text);
    } catch {
      context.addIssue({ code: "custom", message: "not percent-encoded UTF-8" });
      return z.NEVER;
    }
  })
  .pipe(
    z
      .string()
      .trim()
      .min(1)
      .max(longestDisplayName)
      .refine((name) => name.isWellFormed() && !unfitInDisplayName.test(name)),
  );

/**
 * Reads the name that the caller gives for the audit trail. Nothing proves it: it is never an identity, and never a
 * reason to allow or to refuse anything. What is malformed counts as absent.
 *
 * @param header value of `X-Display-Name`; null: there is none
 */
export function readDisplayName(header: string | null): string | null {
  return displayName.safeParse(header).data ?? null;
}
