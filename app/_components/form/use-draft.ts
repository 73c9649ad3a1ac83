import { useEffect, useMemo, useState, useSyncExternalStore } from "react";
import { listDifferences } from "@/app/_components/form/deep-equal";
import { byMembers, type DraftParts } from "@/app/_components/form/draft-parts";
import { findDraft, saveDraft, type StoredDraft, subscribeToDrafts } from "@/app/_components/form/draft-store";
import { useReaderId } from "@/app/_components/shell/role";

export interface Draft<T extends object> {
  readonly key: string;
  readonly value: T;
  readonly base: T;
  /** For `base_id` of the save; null if there is none. */
  readonly baseId: number | null;
  /** The value must stay serializable as JSON. */
  readonly set: (update: Partial<T> | ((value: T) => T)) => void;
  readonly parts: DraftParts<T>;
  /** Parts that differ from the base. */
  readonly changed: readonly string[];
  readonly isDirty: boolean;
  /** Last edit of a draft that existed on arrival, in milliseconds since 1970; null after the next edit. */
  readonly restoredAt: number | null;
  readonly discard: () => void;
  /** For a conflict. */
  readonly rebase: (base: T, baseId: number | null, value: T) => void;
  /** What was typed since `sent` was sent stays in the draft; `nextKey` names a new item from now on. */
  readonly noteSaved: (sent: T, nextKey?: string) => void;
}

/**
 * Keeps the reader's changes in `sessionStorage` until they are saved or discarded; another person does not see them.
 * `key` names the item (`group:Base-4`); `initial` (plain JSON) and `parts` must stay the same object between renders.
 */
export function useDraft<T extends object>({
  key: itemKey,
  initial,
  baseId,
  parts = byMembers<T>(),
}: Readonly<{ key: string; initial: T; baseId: number | null; parts?: DraftParts<T> }>): Draft<T> {
  const readerId = useReaderId();
  // The saved value stands in for `initial` until the page has the new version.
  const [saved, setSaved] = useState<{ readonly key: string; readonly value: T; readonly over: number | null } | null>(
    null,
  );
  const isSettling = saved !== null && saved.over === baseId;
  const key = ownKey(readerId, isSettling ? saved.key : itemKey);
  const stored = useSyncExternalStore(
    subscribeToDrafts,
    () => findDraft(key),
    () => null,
  );
  // There is no draft on the server or during hydration: reading this early is not visible.
  const [arrival, setArrival] = useState(() => readArrival(key));
  // What was typed during the first save of a new item has moved with it.
  if (arrival.key !== key) setArrival(isSettling ? { key, at: null } : readArrival(key));
  // The page's own copy may differ in what nobody sees, such as ids: fields would lose the focus.
  const loaded = useMemo(
    () => (saved !== null && (isSettling || isSame(parts, saved.value, initial)) ? saved.value : initial),
    [saved, isSettling, parts, initial],
  );

  useEffect(
    () => follow(key, { id: baseId, value: initial }, parts, saved?.value),
    [key, baseId, initial, parts, saved],
  );

  return useMemo(() => {
    // Only this hook writes under this key.
    const base = (stored?.base ?? loaded) as T;
    const value = (stored?.value ?? loaded) as T;
    const from = stored === null ? baseId : stored.baseId;
    const changed = stored === null ? [] : listChanged(parts, base, value);
    const keep = (next: T, nextBase: T, nextBaseId: number | null) => {
      const draft: StoredDraft = { base: nextBase, baseId: nextBaseId, value: next, at: Date.now() };
      saveDraft(key, nextBaseId === baseId && isSame(parts, nextBase, next) ? null : draft);
    };
    return {
      key,
      value,
      base,
      baseId: from,
      parts,
      changed,
      isDirty: changed.length > 0,
      restoredAt: stored !== null && stored.at === arrival.at ? stored.at : null,
      set: (update) => {
        // Reads the store, not this render's value: one event may cause several changes.
        const current = findDraft(key);
        const now = (current?.value ?? loaded) as T;
        const next = typeof update === "function" ? update(now) : { ...now, ...update };
        keep(next, (current?.base ?? loaded) as T, current === null ? baseId : current.baseId);
      },
      discard: () => saveDraft(key, null),
      rebase: (nextBase, nextBaseId, next) => keep(next, nextBase, nextBaseId),
      noteSaved: (sent, nextKey = itemKey) => {
        const current = findDraft(key);
        const isTyped = current !== null && !isSame(parts, sent, current.value as T);
        saveDraft(key, null);
        if (isTyped) saveDraft(ownKey(readerId, nextKey), { ...current, base: sent });
        setSaved({ key: nextKey, value: sent, over: baseId });
      },
    };
  }, [stored, loaded, baseId, key, itemKey, readerId, arrival, parts]);
}

const ownKey = (readerId: string | null, key: string) => (readerId === null ? key : `${readerId}/${key}`);

const listChanged = <T extends object>(parts: DraftParts<T>, one: T, other: T) =>
  listDifferences(parts.split(one), parts.split(other));
const isSame = <T extends object>(parts: DraftParts<T>, one: T, other: T) =>
  listChanged(parts, one, other).length === 0;

/**
 * Follows a later version only if the draft is based on its content, or it is the reader's own save (which the server
 * may
 * tidy): other people's changes must still show as a conflict.
 */
function follow<T extends object>(
  key: string,
  page: { readonly id: number | null; readonly value: T },
  parts: DraftParts<T>,
  own: T | undefined,
): void {
  const draft = findDraft(key);
  if (draft === null || (page.id ?? 0) <= (draft.baseId ?? 0)) return;
  // Drafts under one key have one shape.
  const [base, value] = [draft.base as T, draft.value as T];
  const [theirs, mine] = [listChanged(parts, base, page.value), listChanged(parts, base, value)];
  const isTidied = base === own && !theirs.some((name) => mine.includes(name));
  if (theirs.length > 0 && !isTidied) return;
  const next = theirs.length === 0 ? value : parts.take(value, page.value, theirs);
  const isEmpty = isSame(parts, page.value, next);
  saveDraft(key, isEmpty ? null : { ...draft, base: page.value, baseId: page.id, value: next });
}

function readArrival(key: string) {
  return { key, at: typeof window === "undefined" ? null : (findDraft(key)?.at ?? null) };
}
