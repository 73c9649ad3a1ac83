import dynamic from "next/dynamic";
import type { ReactElement } from "react";
import type { DialogContent } from "@/app/_components/overlay/dialog-popup";
import { overlay } from "@/app/_components/overlay/on-demand";
import { Opener } from "@/app/_components/overlay/opener";

const load = () => import("@/app/_components/overlay/dialog-popup");
const DialogPopup = overlay(() => load().then((m) => m.DialogPopup));

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
    <Opener popup="dialog" trigger={trigger} open={open} onOpenChange={onOpenChange}>
      {(state) => <DialogPopup {...content} open={state.open} onOpenChange={state.onOpenChange} />}
    </Opener>
  );
}

/** A button in the footer of a dialog that closes it. */
export const DialogClose = dynamic(() => load().then((m) => m.DialogClose), { ssr: false });
