import dynamic from "next/dynamic";
import { useId, type ReactNode } from "react";
import { cn } from "@/app/_components/ui/cn";
import { DraftFooter } from "@/app/_components/form/draft-footer";
import { FieldErrorsContext } from "@/app/_components/form/field-errors";
import type { Draft } from "@/app/_components/form/use-draft";
import { useLeaveGuard } from "@/app/_components/form/leave-guard";
import type { Save } from "@/app/_components/form/use-save";
import { Notice } from "@/app/_components/feedback/notice";
import { isOutage, Problem } from "@/app/_components/feedback/problem";
import { TimeAgo } from "@/app/_components/ui/time-ago";
import { isCommand, useListener } from "@/app/_components/hooks/use-listener";
import { useOnline } from "@/app/_components/hooks/use-online";
import { dialogOnDemand } from "@/app/_components/overlay/on-demand";

const ErrorSummary = dynamic(() => import("@/app/_components/form/error-summary").then((m) => m.ErrorSummary), {
  ssr: false,
});
const ConflictDialog = dialogOnDemand(() =>
  import("@/app/_components/form/conflict-dialog").then((m) => m.ConflictDialog),
);

export function DraftForm<T extends object>({
  draft,
  save,
  labels,
  className,
  children,
}: Readonly<{
  draft: Draft<T>;
  save: Save<T>;
  /** `{ is_default: "All apps" }` */
  labels: Readonly<Record<string, string>>;
  className?: string;
  children: ReactNode;
}>) {
  useLeaveGuard(draft.key, draft.isDirty);
  const isOnline = useOnline();
  const theirs = save.conflict?.theirs?.value ?? null;
  const formId = useId();
  const submit = () => {
    if (draft.isDirty && isOnline && !save.isSaving) void save.submit();
  };
  useListener("keydown", (event) => {
    if (event.key.toLowerCase() !== "s" || !isCommand(event)) return;
    event.preventDefault();
    submit();
  });

  return (
    <FieldErrorsContext value={save.errors}>
      <form
        id={formId}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <div className={cn("space-y-4", className)}>
          {draft.restoredAt !== null && draft.isDirty && (
            <Notice tone="info" title="Unsaved changes restored">
              Last edited <TimeAgo at={new Date(draft.restoredAt).toISOString()} />. They are not saved yet.
            </Notice>
          )}
          {Object.keys(save.errors).length > 0 && <ErrorSummary errors={save.errors} labels={labels} />}
          {save.problem !== null && (
            <Problem error={save.problem}>
              {isOutage(save.problem) && <p>Nothing was saved. Your changes are kept here: save them again later.</p>}
            </Problem>
          )}
          {children}
        </div>
        <DraftFooter formId={formId} draft={draft} save={save} labels={labels} />
      </form>
      {save.conflict && (
        <ConflictDialog
          base={draft.parts.split(draft.base)}
          mine={draft.parts.split(draft.value)}
          theirs={theirs && draft.parts.split(theirs)}
          labels={labels}
          parts={draft.parts}
          onCancel={save.dismissConflict}
          onResolve={(taken) =>
            void save.resolve(theirs === null ? draft.value : draft.parts.take(draft.value, theirs, taken))
          }
        />
      )}
    </FieldErrorsContext>
  );
}
