import dynamic from "next/dynamic";
import type { DialogContent } from "@/app/_components/overlay/dialog-popup";
import { overlay } from "@/app/_components/overlay/on-demand";

const load = () => import("@/app/_components/overlay/dialog-popup");

/**
 * A dialog over the page; holds the focus and gives it back. For a question before an act use `ConfirmDialog`.
 *
 * @example
 * <Dialog title="Add RPC" trigger={<Button>Add</Button>} footer={<Button variant="primary">Add 3</Button>}>…</Dialog>
 */
export const Dialog = overlay<DialogContent>(() => load().then((m) => m.DialogPopup));

/** A button in the footer of a dialog that closes it. */
export const DialogClose = dynamic(() => load().then((m) => m.DialogClose), { ssr: false });
