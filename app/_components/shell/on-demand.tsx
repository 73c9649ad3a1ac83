"use client";
import dynamic from "next/dynamic";
import { useActivity } from "@/app/_components/hooks/use-activity";

const Toaster = dynamic(() => import("@/app/_components/shell/toaster").then((m) => m.Toaster), { ssr: false });
const TooltipLayer = dynamic(() => import("@/app/_components/shell/tooltip-layer").then((m) => m.TooltipLayer), {
  ssr: false,
});

export function OnDemand() {
  const isActive = useActivity();
  return (
    isActive && (
      <>
        <Toaster />
        <TooltipLayer />
      </>
    )
  );
}
