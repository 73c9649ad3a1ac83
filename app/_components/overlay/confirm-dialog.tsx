"use client";
import dynamic from "next/dynamic";
import { useEffect, useRef, useState, type ReactElement } from "react";
import type { ConfirmQuestion } from "@/app/_components/overlay/confirm-dialog-layer";
import { LazyDialog } from "@/app/_components/overlay/lazy-dialog";

export interface ConfirmDialogProps extends ConfirmQuestion {
  readonly trigger?: ReactElement;
  readonly open?: boolean;
  readonly onOpenChange?: (open: boolean) => void;
}

const load = () => import("@/app/_components/overlay/confirm-dialog-layer");
const ConfirmDialogLayer = dynamic(() => load().then((m) => m.ConfirmDialogLayer), { ssr: false });

/**
 * Asks before an act that changes what vehicles receive, or removes something. Cancelling leaves no trace. The focus
 * starts on "Cancel", or in the field for the typed word; Ctrl/Cmd-Enter confirms, also before the code of the dialog
 * has come: whoever decides by keys does not wait for it.
 */
export function ConfirmDialog({ trigger, open, onOpenChange, ...question }: Readonly<ConfirmDialogProps>) {
  const [isOpen, setIsOpen] = useState(false);
  const isWanted = open ?? isOpen;
  const early = useRef(false);
  useEffect(() => {
    if (!isWanted) return;
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) early.current = true;
    };
    document.addEventListener("keydown", onKeyDown, true);
    return () => {
      early.current = false;
      document.removeEventListener("keydown", onKeyDown, true);
    };
  }, [isWanted]);
  const takeEarly = () => {
    const wasEarly = early.current;
    early.current = false;
    return wasEarly;
  };
  return (
    <LazyDialog
      trigger={trigger}
      open={isWanted}
      onOpenChange={(next) => {
        setIsOpen(next);
        onOpenChange?.(next);
      }}
      load={load}
    >
      {(state) => <ConfirmDialogLayer {...question} {...state} takeEarlyConfirm={takeEarly} />}
    </LazyDialog>
  );
}
