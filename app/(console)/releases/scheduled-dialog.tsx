import { useState } from "react";
import { TextField } from "@/app/_components/fields/text-field";
import { showDone } from "@/app/_components/feedback/show-toast";
import { useAction } from "@/app/_components/hooks/use-action";
import { ConfirmDialog } from "@/app/_components/overlay/confirm-dialog";
import { findTimeProblem, fromField, toField } from "@/app/_releases/local-time";
import type { ScheduledReleaseJson } from "@/lib/releases/answer-schema";

/** Confirms that a scheduled release is moved to another time or cancelled. */
export function ScheduledDialog({
  act,
  release: { id, name, at, state },
  onClose,
}: Readonly<{ act: "move" | "cancel"; release: ScheduledReleaseJson; onClose: () => void }>) {
  const isMove = act === "move";
  const action = useAction(`/api/v1/releases/scheduled/${id}`, { method: isMove ? "patch" : "delete" });
  const [time, setTime] = useState(() => toField(new Date(at)));
  const [problem, setProblem] = useState<string | null>(null);
  const what = name ?? "the scheduled release";
  const cancelLabel = state === "stopped" ? "Remove it" : "Cancel the release";
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={isMove ? `Move ${what}` : `${state === "stopped" ? "Remove" : "Cancel"} ${what}?`}
      confirmLabel={isMove ? "Move" : cancelLabel}
      danger={!isMove}
      disabledReason={isMove && fromField(time) === null ? "Enter a time" : null}
      onConfirm={async () => {
        try {
          await action.run(isMove ? { at: fromField(time) } : undefined);
        } catch (error) {
          setProblem(findTimeProblem(error));
          throw error;
        }
        showDone(isMove ? "Release rescheduled" : "Release cancelled");
      }}
      fields={
        isMove && (
          <TextField
            label="Publish at"
            hint="In your time zone, up to 90 days in advance."
            type="datetime-local"
            value={time}
            error={problem}
            onChange={(text) => {
              setTime(text);
              setProblem(null);
            }}
          />
        )
      }
    >
      <p>
        {isMove
          ? "The checks run again at that time."
          : "Its changes stay in staging. You can publish them at any time."}
      </p>
    </ConfirmDialog>
  );
}
