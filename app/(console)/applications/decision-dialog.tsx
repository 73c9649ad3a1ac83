"use client";
import dynamic from "next/dynamic";
import type { ComponentProps } from "react";
import { LazyDialog } from "@/app/_components/overlay/lazy-dialog";

const load = () => import("./decision-dialog-layer");
const DecisionDialogLayer = dynamic(() => load().then((m) => m.DecisionDialogLayer), { ssr: false });

/** Asks about a decision; fetched when the reader begins to act. */
export function DecisionDialog(props: ComponentProps<typeof DecisionDialogLayer>) {
  return (
    <LazyDialog trigger={undefined} open={props.question !== null} onOpenChange={undefined} load={load}>
      {() => <DecisionDialogLayer {...props} />}
    </LazyDialog>
  );
}
