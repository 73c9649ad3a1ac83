"use client";
import dynamic from "next/dynamic";
import type { ReactElement } from "react";
import type { DialogContent } from "@/app/_components/overlay/dialog-layer";
import { LazyDialog } from "@/app/_components/overlay/lazy-dialog";

const load = () => import("@/app/_components/overlay/dialog-layer");
const DialogLayer = dynamic(() => load().then((m) => m.DialogLayer), { ssr: false });

/**
 * A dialog over the page; holds the focus and gives it back. For a question before an act use `ConfirmDialog`.
 *
 * @example
 * <Dialog title="Add RPC" trigger={<Button>Add</Button>} footer={<Button variant="primary">Add 3</Button>}>…</Dialog>
 */
export function Dialog({
  trigger,
  open,
  onOpenChange,
  ...content
}: Readonly<DialogContent & { trigger?: ReactElement; open?: boolean; onOpenChange?: (open: boolean) => void }>) {
  return (
    <LazyDialog trigger={trigger} open={open} onOpenChange={onOpenChange} load={load}>
      {(state) => <DialogLayer {...content} {...state} />}
    </LazyDialog>
  );
}

/** A button in the footer of a dialog that closes it. */
export const DialogClose = dynamic(() => load().then((m) => m.DialogCloseLayer), { ssr: false });
