import { useState } from "react";
import { TextAreaField, TextField } from "@/app/_components/fields/text-field";
import { showDone } from "@/app/_components/feedback/show-toast";
import { useAction } from "@/app/_components/hooks/use-action";
import { ConfirmDialog } from "@/app/_components/overlay/confirm-dialog";
import { fromField, inHours, toField } from "@/app/_releases/local-time";
import type { FreezeAnswer } from "@/lib/releases/answer-schema";

const usualHours = 24;

export function FreezeDialog({ freeze, onClose }: Readonly<{ freeze: FreezeAnswer["freeze"]; onClose: () => void }>) {
  const action = useAction("/api/v1/releases/freeze", { method: "put" });
  const [from, setFrom] = useState(() => toField(freeze === null ? new Date() : new Date(freeze.from)));
  const [to, setTo] = useState(() => toField(freeze === null ? inHours(usualHours) : new Date(freeze.to)));
  const [reason, setReason] = useState(freeze?.reason ?? "");
  const [begin, end] = [fromField(from), fromField(to)];
  const isBackwards = begin !== null && end !== null && end <= begin;
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title="Freeze publishing"
      confirmLabel="Freeze publishing"
      disabledReason={isBackwards ? endsTooEarly : findMissing(begin, end, reason)}
      onConfirm={async () => {
        await action.run({ from: begin, to: end, reason: reason.trim() });
        showDone("Freeze saved");
      }}
      fields={
        <div className="space-y-3">
          <div className="grid gap-3 sm:grid-cols-2">
            <TextField label="From" type="datetime-local" value={from} onChange={setFrom} />
            <TextField
              label="To"
              type="datetime-local"
              value={to}
              error={isBackwards ? endsTooEarly : null}
              onChange={setTo}
            />
          </div>
          <TextAreaField label="Reason" value={reason} rows={2} maxLength={500} onChange={setReason} />
        </div>
      }
    >
      <p>
        During a freeze nothing is published, and everyone who tries sees the reason. You can still roll back to an
        earlier release and block an app. Times are in your time zone.
      </p>
    </ConfirmDialog>
  );
}

const endsTooEarly = "The end must be after the start";

function findMissing(from: string | null, to: string | null, reason: string): string | null {
  if (from === null || to === null) return "Enter a start and an end";
  return reason.trim() === "" ? "Enter a reason. Everyone who tries to publish sees it" : null;
}
