import { useEffect, useMemo, useState, useSyncExternalStore } from "react";
import { listDifferences } from "@/app/_components/form/deep-equal";
import { byMembers, type DraftParts } from "@/app/_components/form/draft-parts";
import { findDraft, saveDraft, type StoredDraft, subscribeToDrafts } from "@/app/_components/form/draft-store";

/** An item being edited: as loaded, and as it is now. */
export interface Draft<T extends object> {
  readonly key: string;
  readonly value: T;
  /** The version the draft is based on. */
  readonly base: T;
  /** The id of that version, for `base_id` of the save; null if there is none. */
  readonly baseId: number | null;
  /** Changes some members, or the whole with a function. The value must stay serializable as JSON. */
  readonly set: (update: Partial<T> | ((value: T) => T)) => void;
  /** How the item is compared. */
  readonly parts: DraftParts<T>;
  /** Parts, usually top-level members, that differ from the base. */
  readonly changed: readonly string[];
  readonly isDirty: boolean;
  /** Last edit of a draft that existed on arrival, in milliseconds since 1970; null after the next edit. */
  readonly restoredAt: number | null;
  readonly discard: () => void;
  /** Moves the draft to another version, after a conflict. */
  readonly rebase: (base: T, baseId: number | null, value: T) => void;
  /** Records that this value is stored. */
  readonly noteSaved: (stored: T) => void;
}

/**
 * Keeps the changes to an item in `sessionStorage` until they are saved or discarded. They survive reloading, leaving
 * and signing in again.
 *
 * @param options.key names the item, such as `group:Base-4` or `group:new`
 * @param options.initial the item from the server's page, as plain JSON; the same object from render to render
 * @param options.baseId id of that version
 * @param options.parts how the item is compared; default: by top-level members. The same object from render to render
 */
export function useDraft<T extends object>({
  key,
  initial,
  baseId,
  parts = byMembers<T>(),
}: Readonly<{ key: string; initial: T; baseId: number | null; parts?: DraftParts<T> }>): Draft<T> {
  const stored = useSyncExternalStore(
    subscribeToDrafts,
    () => findDraft(key),
    () => null,
  );
  // There is no draft on the server or during hydration: reading this early is not visible.
  const [arrival, setArrival] = useState(() => readArrival(key));
  if (arrival.key !== key) setArrival(readArrival(key));
  // The saved value stands in for `initial` until the page has the new version.
  const [saved, setSaved] = useState<{ readonly value: T; readonly over: T } | null>(null);
  const settling = saved?.over === initial ? saved : null;
  const loaded = settling?.value ?? initial;

  // Edits made while a save was pending are based on what it stored.
  useEffect(() => {
    if (saved === null || saved.over === initial) return;
    const waiting = findDraft(key);
    if (waiting?.base === saved.value) saveDraft(key, { ...waiting, base: initial, baseId });
  }, [saved, initial, baseId, key]);

  return useMemo(() => {
    // Only this hook writes under this key.
    const base = (stored?.base ?? loaded) as T;
    const value = (stored?.value ?? loaded) as T;
    const from = stored === null ? baseId : stored.baseId;
    const differ = (one: T, other: T) => listDifferences(parts.split(one), parts.split(other));
    const changed = stored === null ? [] : differ(base, value);
    const keep = (next: T, nextBase: T, nextBaseId: number | null) => {
      const isSame = nextBaseId === baseId && differ(nextBase, next).length === 0;
      const draft: StoredDraft = { base: nextBase, baseId: nextBaseId, value: next, at: Date.now() };
      saveDraft(key, isSame ? null : draft);
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
      noteSaved: (now) => {
        setSaved({ value: now, over: initial });
        saveDraft(key, null);
      },
    };
  }, [stored, loaded, initial, baseId, key, arrival, parts]);
}

/** Whether an item had a draft on arrival: from an earlier visit, or from before a reload. */
function readArrival(key: string) {
  return { key, at: typeof window === "undefined" ? null : (findDraft(key)?.at ?? null) };
}
