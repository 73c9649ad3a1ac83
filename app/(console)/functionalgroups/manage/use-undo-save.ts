"use client";
import { buildChange, readGroup } from "@/app/(console)/functionalgroups/group-api";
import { type GroupForm, toForm } from "@/app/(console)/functionalgroups/group-form";
import { deepEqual } from "@/app/_components/form/deep-equal";
import type { ToastAction } from "@/app/_components/feedback/show-toast";
import { refuseUndo, undoAction } from "@/app/_components/feedback/undo-action";
import { useAction } from "@/app/_components/hooks/use-action";

const normal = (form: GroupForm) =>
  Object.fromEntries(Object.entries(form).filter(([, value]) => value !== null && value !== ""));

/** Offers to store the version before as a new one, unless somebody has saved another one since. */
export function useUndoSave(): (before: GroupForm, saved: GroupForm) => ToastAction {
  const save = useAction("/api/v1/groups");
  async function undo(before: GroupForm, saved: GroupForm) {
    const current = await readGroup(saved.name);
    if (!deepEqual(normal(toForm(current)), normal(saved))) refuseUndo("the group");
    await save.run(buildChange(current, () => before));
  }
  return (before, saved) => undoAction(() => undo(before, saved));
}
