import { z } from "zod";
import { author } from "@/lib/content/releases/answer-schema";
import type { Author } from "@/lib/platform/db/transaction";

/** Whose edit a version is, and when they made it. */
export interface KeptEdit {
  /** Null when the audit trail does not go back so far. */
  readonly author: Author | null;
  readonly at: Date;
}

const stored = z.object({ author: author.nullable(), at: z.iso.datetime() });

/**
 * Tells whose edit a version is that a return has stored once more behind its copies (`releases.md` L12).
 *
 * @param before as the audit event of the version has it
 * @returns null for a version that was stored by who made it
 */
export function readKeptEdit(before: unknown): KeptEdit | null {
  const { data } = stored.safeParse(before);
  if (data === undefined) return null;
  const { author: by, at } = data;
  return {
    author: by && { actor: by.actor, displayName: by.display_name, isNameVerified: by.display_name_verified },
    at: new Date(at),
  };
}
