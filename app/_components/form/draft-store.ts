import { deepEqual } from "@/app/_components/form/deep-equal";
import { readStored, writeStored } from "@/app/_components/hooks/use-preference";

/** Unsaved work on one item, with the version it started from. */
export interface StoredDraft {
  readonly baseId: number | null;
  readonly base: unknown;
  readonly value: unknown;
  /** When it was last touched, in milliseconds since 1970. */
  readonly at: number;
}

const drafts = new Map<string, StoredDraft | null>();
const listeners = new Set<() => void>();
const storageKey = (key: string) => `draft:${key}`;

/** The draft of an item, or null. What lies in `sessionStorage` survives reloading and signing in again. */
export function findDraft(key: string): StoredDraft | null {
  const known = drafts.get(key);
  if (known !== undefined) return known;
  const found = parse(readStored("sessionStorage", storageKey(key)));
  drafts.set(key, found);
  return found;
}

/** Keeps a draft, or with null forgets it. */
export function saveDraft(key: string, draft: StoredDraft | null): void {
  drafts.set(key, draft);
  writeStored("sessionStorage", storageKey(key), draft && JSON.stringify(draft));
  for (const listener of listeners) listener();
}

export function discardDrafts(keys: readonly string[]): void {
  for (const key of keys) saveDraft(key, null);
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
 * Lets the draft of an item go on from a version that the reader has stored by other means than its form, such as a
 * promotion: the next save would be taken for one over somebody else's work. Only a version with the content that the
 * draft began with is taken: what somebody else has changed meanwhile must still be asked about.
 *
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
