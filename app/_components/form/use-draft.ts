import { useEffect, useMemo, useState, useSyncExternalStore } from "react";
import { listDifferences } from "@/app/_components/form/deep-equal";
import { byMembers, type DraftParts } from "@/app/_components/form/draft-parts";
import { findDraft, saveDraft, type StoredDraft, subscribeToDrafts } from "@/app/_components/form/draft-store";

/** An item being edited: what it was loaded as, and what it is now. */
export interface Draft<T extends object> {
  readonly key: string;
  readonly value: T;
  /** What the changes are compared with: the version the draft started from. */
  readonly base: T;
  /** Id of that version, for `base_id` of the save; null where there is none to name. */
  readonly baseId: number | null;
  /** Changes some members, or the whole by a function. Must stay what JSON can hold. */
  readonly set: (update: Partial<T> | ((value: T) => T)) => void;
  /** How it is compared. */
  readonly parts: DraftParts<T>;
  /** The parts, usually the top-level members, that differ from the base. */
  readonly changed: readonly string[];
  readonly isDirty: boolean;
  /** When a draft that was there on arrival was last touched, in milliseconds since 1970; null once it is touched. */
  readonly restoredAt: number | null;
  readonly discard: () => void;
  /** Goes on from another version: after a conflict. */
  readonly rebase: (base: T, baseId: number | null, value: T) => void;
  /** Says that this value is stored. */
  readonly noteSaved: (stored: T) => void;
}

/**
 * Keeps the changes to one item until they are saved or discarded, in `sessionStorage`: reloading the page, leaving it
 * and signing in again lose nothing.
 *
 * @param options.key names the item, e.g. `group:Base-4` or `group:new`
 * @param options.initial the item as the server gave it with this page, the same object from render to render; plain JSON
 * @param options.baseId id of that version
 * @param options.parts how the item is compared, by default by its top-level members; the same object from render to
 *   render
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
  // Neither on the server nor while its page comes to life there is a draft: that this is read early shows nowhere.
  const [arrival, setArrival] = useState(() => readArrival(key));
  if (arrival.key !== key) setArrival(readArrival(key));
  // What was saved stands in for `initial` until the page brings the new version.
  const [saved, setSaved] = useState<{ readonly value: T; readonly over: T } | null>(null);
  const settling = saved?.over === initial ? saved : null;
  const loaded = settling?.value ?? initial;

  // Changes made while a save was settling began with what it stored.
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
        // What is stored now and not what this render saw: several changes may come in one event.
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

/** Whether an item had a draft when the reader came to it: from an earlier visit, or before the page was loaded anew. */
function readArrival(key: string) {
  return { key, at: typeof window === "undefined" ? null : (findDraft(key)?.at ?? null) };
}
