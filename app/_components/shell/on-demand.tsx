"use client";
import dynamic from "next/dynamic";
import { useActivity } from "@/app/_components/hooks/use-activity";
import { LeaveDialog } from "@/app/_components/shell/leave-dialog";

const Toaster = dynamic(() => import("@/app/_components/shell/toaster").then((m) => m.Toaster), { ssr: false });
const TooltipLayer = dynamic(() => import("@/app/_components/shell/tooltip-layer").then((m) => m.TooltipLayer), {
  ssr: false,
});

/** Layers above every page: the dialog about unsaved changes, and toasts and tooltips once the reader acts. */
export function OnDemand() {
  const isActive = useActivity();
  return (
    <>
      <LeaveDialog />
      {isActive && <Toaster />}
      {isActive && <TooltipLayer />}
    </>
  );
}
