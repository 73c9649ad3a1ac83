"use client";
import { LeaveDialog } from "@/app/_components/shell/navigation/leave-dialog";
import { Toaster } from "@/app/_components/shell/toaster";
import { TooltipLayer } from "@/app/_components/shell/tooltip-layer";

/** What lies over every page of the console. */
export function Layers() {
  return (
    <>
      <LeaveDialog />
      <Toaster />
      <TooltipLayer />
    </>
  );
}
