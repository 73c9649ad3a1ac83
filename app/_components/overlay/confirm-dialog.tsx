import type { ReactElement } from "react";
import type { ConfirmQuestion } from "@/app/_components/overlay/confirm-popup";
import { overlay } from "@/app/_components/overlay/on-demand";
import { Opener } from "@/app/_components/overlay/opener";

export interface ConfirmDialogProps extends ConfirmQuestion {
  readonly trigger?: ReactElement;
  readonly open?: boolean;
  readonly onOpenChange?: (open: boolean) => void;
}

const ConfirmPopup = overlay(() => import("@/app/_components/overlay/confirm-popup").then((m) => m.ConfirmPopup));

/**
 * Asks before an act that changes what vehicles receive, or removes something. Cancelling leaves no trace. The focus
 * starts on "Cancel", or in the field for the typed word; Ctrl/Cmd-Enter confirms.
 */
export function ConfirmDialog({ trigger, open, onOpenChange, ...question }: Readonly<ConfirmDialogProps>) {
  return (
    <Opener popup="dialog" trigger={trigger} open={open} onOpenChange={onOpenChange}>
      {(state) => <ConfirmPopup {...question} open={state.open} onOpenChange={state.onOpenChange} />}
    </Opener>
  );
}
