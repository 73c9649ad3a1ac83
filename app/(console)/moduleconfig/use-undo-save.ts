"use client";
import { deepEqual } from "@/app/_components/form/deep-equal";
import { showDone, showProblem, type ToastAction } from "@/app/_components/show-toast";
import { useAction } from "@/app/_components/use-action";
import { ApiError } from "@/lib/http/client";
import { type Editable, toBody } from "./editable";
import { readConfig } from "./module-config-api";

/** Offers to store the version before as a new one, unless somebody has saved another one since. */
export function useUndoSave(): (saved: Editable, before: Editable) => ToastAction {
  const save = useAction("/api/v1/module");
  async function undo(saved: Editable, before: Editable) {
    const current = await readConfig("staging");
    if (!deepEqual(current.value, saved)) {
      throw new ApiError("Nothing was undone: the module config has been saved again since", 409, null, null);
    }
    await save.run(toBody(before, current.id));
    showDone("The version before is back in staging");
  }
  return (saved, before) => ({
    label: "Undo",
    onClick: () => void undo(saved, before).catch(showProblem),
  });
}
