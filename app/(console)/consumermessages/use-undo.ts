"use client";
import { deepEqual } from "@/app/_components/form/deep-equal";
import { showDone, type ToastAction } from "@/app/_components/feedback/show-toast";
import { refuseUndo, undoAction } from "@/app/_components/feedback/undo-action";
import { useAction } from "@/app/_components/hooks/use-action";
import { readNewestMessage } from "./message-api";
import { type MessageDraft, toDraft, toSaveBody } from "./message-draft";

/** A message as it was before a change, or is after it. */
export interface MessageState {
  readonly value: MessageDraft;
  readonly isDeleted: boolean;
}

/**
 * Offers to store the version before as a new one, unless somebody has saved another one since. The id to start from is
 * that of the newest record when Undo is pressed: the page may not know it yet.
 */
export function useUndo(): (before: MessageState, after: MessageState) => ToastAction {
  const save = useAction("/api/v1/messages");
  async function undo(before: MessageState, after: MessageState) {
    const category = String(after.value["category"]);
    const current = await readNewestMessage(category);
    if (!deepEqual(toDraft(current), after.value) || current.is_deleted !== after.isDeleted) refuseUndo(category);
    const languageIds = current.languages.map(({ language_id }) => language_id);
    await save.run(toSaveBody(before.value, { languageIds, isDeleted: before.isDeleted, baseId: current.id }));
    showDone(`The version before of ${category} is back in staging`);
  }
  return (before, after) => undoAction(() => undo(before, after));
}
