import { deepEqual } from "@/app/_components/form/deep-equal";
import { readStored, writeStored } from "@/app/_components/hooks/use-preference";

/** Unsaved work on an item, with the version it is based on. */
export interface StoredDraft {
  readonly baseId: number | null;
  readonly base: unknown;
  readonly value: unknown;
  /** Last edit, in milliseconds since 1970. */
  readonly at: number;
}

const drafts = new Map<string, StoredDraft | null>();
const listeners = new Set<() => void>();
const storageKey = (key: string) => `draft:${key}`;

/** The draft of an item, or null. `sessionStorage` survives reloads and signing in again. */
export function findDraft(key: string): StoredDraft | null {
  const known = drafts.get(key);
  if (known !== undefined) return known;
  const found = parse(readStored("sessionStorage", storageKey(key)));
  drafts.set(key, found);
  return found;
}

/** Stores a draft; null deletes it. */
export function saveDraft(key: string, draft: StoredDraft | null): void {
  drafts.set(key, draft);
  writeStored("sessionStorage", storageKey(key), draft && JSON.stringify(draft));
  for (const listener of listeners) listener();
}

export function subscribeToDrafts(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function parse(text: string | null): StoredDraft | null {
  if (text === null) return null;
  try {
    // Only `saveDraft` writes here.
    return JSON.parse(text) as StoredDraft;
  } catch {
    return null;
  }
}

/**
 * Rebases an item's draft onto a version that the reader has saved by other means than the form, such as a promotion.
 * Otherwise the next save would look like a conflict. Only if that version's content equals the draft's base: other
 * people's changes must still show as a conflict.
 *
 * @param isSame for content that is equal in a different form, e.g. with other ids inside
 * @returns whether there is a draft and it is now based on this version
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
