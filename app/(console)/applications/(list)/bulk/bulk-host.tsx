"use client";
import { useBulkStep } from "./bulk-store";
import { dialogOnDemand } from "@/app/_components/overlay/on-demand";

const BulkDialogs = dialogOnDemand(() => import("./bulk-dialogs").then((m) => m.BulkDialogs));

/** Where decisions about many apps are asked about and told; outside of the list, which begins anew with each tab. */
export function BulkHost() {
  const step = useBulkStep();
  return step && <BulkDialogs step={step} />;
}
