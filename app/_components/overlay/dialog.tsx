import dynamic from "next/dynamic";
import type { DialogContent } from "@/app/_components/overlay/dialog-popup";
import { overlay } from "@/app/_components/overlay/on-demand";

const load = () => import("@/app/_components/overlay/dialog-popup");

/** To confirm an action use `ConfirmDialog`. */
export const Dialog = overlay<DialogContent>(() => load().then((m) => m.DialogPopup));

export const DialogClose = dynamic(() => load().then((m) => m.DialogClose), { ssr: false });
