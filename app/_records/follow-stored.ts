import { findDraft, rebaseDraft } from "@/app/_components/form/draft-store";
import { draftKeyOf, isSameContent, type RecordStore } from "@/app/_records/family";

/**
 * Rebases drafts onto versions that were just saved by other means than their form, such as a promotion. Never fails: a
 * draft left behind shows up as a conflict at its next save.
 */
export async function followStored<Form extends object>(
  store: RecordStore<Form>,
  names: readonly string[],
): Promise<void> {
  for (const name of names) {
    const key = draftKeyOf(store, name);
    if (findDraft(key) === null) continue;
    try {
      const { id, form } = await store.read(name);
      rebaseDraft<Form>(key, { id, value: form }, (one, other) => isSameContent(store, one, other));
    } catch {
      // See above.
    }
  }
}
