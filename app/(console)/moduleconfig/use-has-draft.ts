"use client";
import { useSyncExternalStore } from "react";
import { findDraft, subscribeToDraft } from "@/app/_components/form/draft-store";
import { draftKey } from "./editable";

const subscribe = (listener: () => void) => subscribeToDraft(draftKey, listener);

/** Whether the form of the module config holds unsaved changes. */
export function useHasDraft(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => findDraft(draftKey) !== null,
    () => false,
  );
}
