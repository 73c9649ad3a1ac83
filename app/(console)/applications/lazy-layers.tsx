"use client";
import dynamic from "next/dynamic";
import { useEffect, useState, type ComponentProps } from "react";
import { useActivity } from "@/app/_components/use-activity";

/*
 * Dialogs weigh as much as the page they stand over. Their code comes when the reader begins to act, so that it is there
 * when it is needed; until one is opened, nothing of it is in the page.
 */

const loadDecision = () => import("./decision-dialog").then((m) => m.DecisionDialog);
const loadConfirm = () => import("@/app/_components/confirm-dialog").then((m) => m.ConfirmDialog);
const DecisionLayer = dynamic(loadDecision, { ssr: false });
const ConfirmLayer = dynamic(loadConfirm, { ssr: false });

/** `DecisionDialog`, fetched when it may be needed. */
export function DecisionDialog(props: ComponentProps<typeof DecisionLayer>) {
  const isWanted = useLazyLayer(props.question !== null, loadDecision);
  return isWanted && <DecisionLayer {...props} />;
}

/** `ConfirmDialog` without a trigger of its own, fetched when it may be needed. */
export function ConfirmDialog(props: ComponentProps<typeof ConfirmLayer> & { open: boolean }) {
  const isWanted = useLazyLayer(props.open, loadConfirm);
  return isWanted && <ConfirmLayer {...props} />;
}

/** Whether the layer has ever been open: from then on it stays, to close as it should. */
function useLazyLayer(isOpen: boolean, load: () => Promise<unknown>): boolean {
  const isActive = useActivity();
  const [isWanted, setIsWanted] = useState(isOpen);
  if (isOpen && !isWanted) setIsWanted(true);
  useEffect(() => {
    if (isActive) void load();
  }, [isActive, load]);
  return isWanted;
}
