import { readStored, writeStored } from "@/app/_components/hooks/use-preference";

export interface StoredDraft {
  readonly baseId: number | null;
  readonly base: unknown;
  readonly value: unknown;
  /** Milliseconds since 1970. */
  readonly at: number;
}

const drafts = new Map<string, StoredDraft | null>();
const listeners = new Set<() => void>();
const storageKey = (key: string) => `draft:${key}`;

/** `sessionStorage` survives reloads and signing in again. */
export function findDraft(key: string): StoredDraft | null {
  const known = drafts.get(key);
  if (known !== undefined) return known;
  const found = parse(readStored("sessionStorage", storageKey(key)));
  drafts.set(key, found);
  return found;
}

/** Null deletes. */
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
