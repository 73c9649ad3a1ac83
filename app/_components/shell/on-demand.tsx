"use client";
import dynamic from "next/dynamic";
import { useGuardedLinks } from "@/app/_components/shell/navigation/use-guarded-links";
import { useActivity } from "@/app/_components/hooks/use-activity";

const Layers = dynamic(() => import("@/app/_components/shell/layers").then((m) => m.Layers), { ssr: false });

/** Toasts, tooltips and the question before unsaved changes are left, from the moment the reader does anything. */
export function OnDemand() {
  // Not on demand itself: a click may come before its question has been loaded.
  useGuardedLinks();
  return useActivity() ? <Layers /> : null;
}
