"use client";
import { useBulkStep } from "./bulk-store";
import { dialogOnDemand } from "@/app/_components/overlay/on-demand";

const BulkDialogs = dialogOnDemand(() => import("./bulk-dialogs").then((m) => m.BulkDialogs));

/** Outside the list, which remounts with each tab. */
export function BulkHost() {
  const step = useBulkStep();
  return step && <BulkDialogs step={step} />;
}
