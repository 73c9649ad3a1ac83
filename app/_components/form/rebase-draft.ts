"use client";
import { deepEqual } from "@/app/_components/form/deep-equal";
import { findDraft, saveDraft } from "@/app/_components/form/draft-store";

/**
 * Lets the draft of an item go on from a version that the reader has stored by other means than its form, such as a
 * promotion: the version has a new id, and the next save would be taken for one over somebody else's work.
 *
 * Only a version with the content that the draft began with is taken: what somebody else has changed meanwhile must
 * still be asked about.
 *
 * @param key that of `useDraft`
 * @param newest the version that is the newest now, in the shape of the draft
 * @param isSame where equal content may look different, e.g. with ids inside
 * @returns whether there is a draft, and it goes on from this version
 */
export function rebaseDraft<T extends object>(
  key: string,
  newest: { readonly id: number | null; readonly value: T },
  isSame: (base: T, value: T) => boolean = deepEqual,
): boolean {
  const draft = findDraft(key);
  // Drafts under one key have one shape.
  if (draft === null || !isSame(draft.base as T, newest.value)) return false;
  saveDraft(key, { ...draft, baseId: newest.id });
  return true;
}
