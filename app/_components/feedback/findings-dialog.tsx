import type { ReactNode } from "react";
import { ConfirmDialog } from "@/app/_components/overlay/confirm-dialog";
import { type Finding, Findings } from "@/app/_components/feedback/findings";

export function FindingsDialog({
  findings,
  act = "publication",
  table = "production table",
  confirmLabel = "Publish anyway",
  children,
  onConfirm,
  onClose,
}: Readonly<{
  findings: readonly Finding[];
  act?: string;
  table?: string;
  confirmLabel?: string;
  children: ReactNode;
  onConfirm: () => unknown;
  /** The dialog has closed, whatever the outcome: unmount it. */
  onClose: () => void;
}>) {
  return (
    <ConfirmDialog
      key="findings"
      open
      danger
      title="Head units would refuse the policy table"
      confirmLabel={confirmLabel}
      typedWord="production"
      onConfirm={onConfirm}
      onOpenChange={(isOpen) => {
        if (!isOpen) onClose();
      }}
    >
      <p>
        {children}{" "}
        {`After this ${act} the ${table} would have these problems. A vehicle that finds one keeps its old table.`}
      </p>
      <div className="max-h-64 overflow-y-auto">
        <Findings findings={findings} />
      </div>
    </ConfirmDialog>
  );
}
