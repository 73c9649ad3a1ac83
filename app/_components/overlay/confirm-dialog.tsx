import type { ConfirmQuestion } from "@/app/_components/overlay/confirm-popup";
import { overlay } from "@/app/_components/overlay/on-demand";
import type { OpenerProps } from "@/app/_components/overlay/opener";

export type ConfirmDialogProps = ConfirmQuestion & OpenerProps;

/** The focus starts on "Cancel", or in the field for the typed word; Ctrl/Cmd-Enter confirms. */
export const ConfirmDialog = overlay<ConfirmQuestion>(() =>
  import("@/app/_components/overlay/confirm-popup").then((m) => m.ConfirmPopup),
);
