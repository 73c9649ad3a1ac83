"use client";
import dynamic from "next/dynamic";
import { useActivity } from "@/app/_components/use-activity";

const Layers = dynamic(() => import("@/app/_components/shell/layers").then((m) => m.Layers), { ssr: false });

/** Toasts, tooltips and the question before unsaved changes are left, from the moment the reader does anything. */
export function OnDemand() {
  return useActivity() ? <Layers /> : null;
}
