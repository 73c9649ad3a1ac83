"use client";
import { deepEqual } from "@/app/_components/form/deep-equal";
import { showDone, type ToastAction } from "@/app/_components/feedback/show-toast";
import { refuseUndo, undoAction } from "@/app/_components/feedback/undo-action";
import { useAction } from "@/app/_components/hooks/use-action";
import { type Editable, toBody } from "./editable";
import { readConfig } from "./module-config-api";

/** Offers to store the version before as a new one, unless somebody has saved another one since. */
export function useUndoSave(): (saved: Editable, before: Editable) => ToastAction {
  const save = useAction("/api/v1/module");
  async function undo(saved: Editable, before: Editable) {
    const current = await readConfig("staging");
    if (!deepEqual(current.value, saved)) refuseUndo("the module config");
    await save.run(toBody(before, current.id));
    showDone("The version before is back in staging");
  }
  return (saved, before) => undoAction(() => undo(saved, before));
}
