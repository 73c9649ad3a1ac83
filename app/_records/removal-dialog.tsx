import { useRouter } from "next/navigation";
import { useState, type ReactNode } from "react";
import { Notice } from "@/app/_components/feedback/notice";
import { showDone } from "@/app/_components/feedback/show-toast";
import type { Draft } from "@/app/_components/form/use-draft";
import { useAction } from "@/app/_components/hooks/use-action";
import { ConfirmDialog } from "@/app/_components/overlay/confirm-dialog";
import { readRecord, type RecordFamily } from "@/app/_records/family";
import { overtaken, useUndo } from "@/app/_records/use-undo";
import { ApiError } from "@/lib/platform/http/client";

export interface RemovedRecord {
  readonly id: number;
  readonly name: string;
  readonly isNew: boolean;
}

export interface Removal<Form extends object> {
  readonly isRestore: boolean;
  readonly draft?: Draft<Form>;
  readonly onClose: () => void;
}

/** Only the version that the page shows. */
export function RemovalDialog<Form extends object>({
  family,
  record,
  isRestore,
  draft,
  onClose,
  typedWord,
  isKnown = true,
  children,
}: Readonly<
  Removal<Form> & {
    family: RecordFamily<Form>;
    record: RemovedRecord;
    typedWord?: string | undefined;
    /** Nobody can confirm before the effect is known. */
    isKnown?: boolean;
    children?: ReactNode;
  }
>) {
  const { word, api, pathAfter } = family;
  const { name, isNew } = record;
  const isDirty = draft?.isDirty === true;
  // The page's version when the dialog opened, or the draft's base: a later one must be seen first.
  const [shownId] = useState(isDirty ? draft.baseId : record.id);
  const router = useRouter();
  const save = useAction(api);
  const offerUndo = useUndo(family);

  async function confirm() {
    const { form } = await readRecord(family, name);
    const answer = await save.run(family.toBody(form, shownId, !isRestore)).catch((error: unknown) => {
      if (!(error instanceof ApiError) || error.status !== 409) throw error;
      router.refresh();
      const advice = isDirty ? "Discard your changes to see their version." : "The page now shows their version.";
      throw overtaken(isRestore ? "restored" : "deleted", name, advice);
    });
    showDone(
      `${isRestore ? "Restored" : "Deleted"} ${name} in staging`,
      offerUndo({ form, isDeleted: isRestore }, { form, isDeleted: !isRestore }),
    );
    if (draft === undefined) return;
    draft.discard();
    const path = pathAfter?.(answer);
    if (path) router.replace(path);
  }

  const act = isRestore ? "Restore" : "Delete";
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={`${act} ${name}?`}
      confirmLabel={`${act} the ${word}`}
      danger={!isRestore}
      disabledReason={isKnown ? null : " "}
      typedWord={typedWord}
      onConfirm={confirm}
    >
      {isRestore ? (
        <p>It returns to the staging table at once.{!isNew && " Production does not change."}</p>
      ) : (
        <p>
          It leaves the staging table at once
          {isNew
            ? "; it has never been in production."
            : ", and the production table when the deletion is published."}{" "}
          You can undo the deletion until you publish it.
        </p>
      )}
      {isDirty && !isRestore && <Notice className="text-text">You will lose your unsaved changes.</Notice>}
      {children}
    </ConfirmDialog>
  );
}
