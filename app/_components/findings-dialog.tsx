"use client";
import type { ReactNode } from "react";
import { ConfirmDialog } from "@/app/_components/confirm-dialog";
import { type Finding, PromotionFindings } from "@/app/_components/promotion-findings";

/** The second question of a promotion: what head units would refuse, before it is published in spite of that. */
export function FindingsDialog({
  findings,
  children,
  onConfirm,
  onClose,
}: Readonly<{
  findings: readonly Finding[];
  /** What has become of the first attempt. */
  children: ReactNode;
  /** Publishes anyway; a failure is shown in the dialog. */
  onConfirm: () => unknown;
  /** The dialog is gone, whatever came of it: unmount it. */
  onClose: () => void;
}>) {
  return (
    <ConfirmDialog
      key="findings"
      open
      danger
      title="Head units would refuse the policy table"
      confirmLabel="Promote anyway"
      typedWord="production"
      onConfirm={onConfirm}
      onOpenChange={(isOpen) => {
        if (!isOpen) onClose();
      }}
    >
      <p>
        {children} After this promotion the production table would have the following faults, and a vehicle that finds
        one keeps its old table.
      </p>
      <PromotionFindings findings={findings} />
    </ConfirmDialog>
  );
}
