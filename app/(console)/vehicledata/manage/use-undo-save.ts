"use client";
import { useRouter } from "next/navigation";
import { buildRemoval, readId, readItem } from "@/app/(console)/vehicledata/item-api";
import { isSameItem } from "@/app/(console)/vehicledata/item-draft";
import { type ItemForm, toBody, toForm } from "@/app/(console)/vehicledata/item-form";
import { showDone, type ToastAction } from "@/app/_components/feedback/show-toast";
import { refuseUndo, undoAction } from "@/app/_components/feedback/undo-action";
import { useAction } from "@/app/_components/hooks/use-action";
import { vehicleDataPath } from "@/lib/vehicle-data/list-address";

/**
 * Offers to store the version before as a new one, unless somebody has saved another one since.
 *
 * @param isNew before there was nothing: then the new item is marked for deletion
 */
export function useUndoSave(isNew: boolean): (saved: ItemForm, before: ItemForm) => ToastAction {
  const router = useRouter();
  const save = useAction("/api/v1/vehicle-data");
  async function undo(saved: ItemForm, before: ItemForm) {
    const current = await readItem(saved.name);
    if (!isSameItem(toForm(current), saved)) refuseUndo("the item");
    const answer = await save.run(isNew ? buildRemoval(current, true, current.id) : toBody(before, current.id));
    const id = readId(answer);
    showDone(isNew ? `${saved.name} is marked for deletion` : "The version before is back in staging");
    if (id !== null && window.location.pathname === "/vehicledata/manage") {
      router.replace(vehicleDataPath(id, "staging"), { scroll: false });
    }
  }
  return (saved, before) => undoAction(() => undo(saved, before));
}
