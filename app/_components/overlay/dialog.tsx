import dynamic from "next/dynamic";
import type { DialogContent } from "@/app/_components/overlay/dialog-popup";
import { overlay } from "@/app/_components/overlay/on-demand";

const load = () => import("@/app/_components/overlay/dialog-popup");

/**
 * A modal dialog; traps the focus and returns it. To confirm an action use `ConfirmDialog`.
 *
 * @example <Dialog title="Add RPC" trigger={<Button>Add</Button>} footer={<Button variant="primary">Add
 *   3</Button>}>…</Dialog>
 */
export const Dialog = overlay<DialogContent>(() => load().then((m) => m.DialogPopup));

/** A footer button that closes the dialog. */
export const DialogClose = dynamic(() => load().then((m) => m.DialogClose), { ssr: false });
