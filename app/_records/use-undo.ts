import { useRouter } from "next/navigation";
import { showDone, showProblem, type ToastAction } from "@/app/_components/feedback/show-toast";
import { useAction } from "@/app/_components/hooks/use-action";
import { isSameContent, readRecord, type RecordStore } from "@/app/_records/family";
import { ApiError } from "@/lib/platform/http/client";

export interface RecordState<Form extends object> {
  readonly form: Form;
  readonly isDeleted: boolean;
}

/**
 * Saves the previous state as a new version, unless somebody else has saved. Starts from the latest version when Undo
 * is
 * pressed, which the page may not know yet.
 */
export function useUndo<Form extends object>(
  store: RecordStore<Form>,
): (before: RecordState<Form>, after: RecordState<Form>) => ToastAction {
  const save = useAction(store.api);
  const router = useRouter();

  async function undo(before: RecordState<Form>, after: RecordState<Form>) {
    const name = store.nameOf(after.form);
    const current = await readRecord(store, name);
    if (current.isDeleted !== after.isDeleted || !isSameContent(store, current.form, after.form)) {
      throw overtaken("undone", name);
    }
    const answer = await save.run(store.toBody(before.form, current.id, before.isDeleted));
    showDone(describe(name, before, after));
    const path = store.pathAfter?.(answer);
    if (path?.startsWith(`${window.location.pathname}?`)) router.replace(path, { scroll: false });
  }

  return (before, after) => ({
    label: "Undo",
    onClick: () => void undo(before, after).catch(showProblem),
  });
}

function describe(name: string, before: RecordState<object>, after: RecordState<object>): string {
  if (before.isDeleted !== after.isDeleted) return `${before.isDeleted ? "Deleted" : "Restored"} ${name} in staging`;
  return `The previous version of ${name} is back in staging`;
}

/** Somebody else's save has prevented the action, such as `act` "deleted". */
export function overtaken(act: string, name: string, advice?: string): ApiError {
  const words = `Nothing was ${act}: someone else has saved ${name}.`;
  return new ApiError(advice === undefined ? words : `${words} ${advice}`, 409, null, null);
}
