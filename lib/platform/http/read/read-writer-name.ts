import {
  displayNameHeader,
  longestDisplayName,
  unfitInDisplayName,
} from "@/lib/platform/http/headers/display-name-header";
import { readVerifiedName } from "@/lib/platform/http/read/read-verified-name";
import { z } from "zod";

/** The name of who calls, for the audit trail; it opens nothing. */
export interface WriterName {
  readonly displayName: string | null;
  /** Whether the proxy in front gave it. */
  readonly isNameVerified: boolean;
}

/** What the proxy says about the caller counts more than what they say themselves. */
export function readWriterName(headers: Headers): WriterName {
  const verified = readVerifiedName(headers);
  if (verified !== null) return { displayName: verified, isNameVerified: true };
  return { displayName: readDisplayName(headers.get(displayNameHeader)), isNameVerified: false };
}

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
 * Reads the name that the caller gives for the audit trail (`X-Display-Name`). Nothing proves it, so it never decides
 * anything. Malformed names count as absent.
 */
export function readDisplayName(header: string | null): string | null {
  return displayName.safeParse(header).data ?? null;
}
