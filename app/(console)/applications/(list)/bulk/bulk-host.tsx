"use client";
import dynamic from "next/dynamic";
import { useBulkStep } from "./bulk-store";

const BulkDialogs = dynamic(() => import("./bulk-dialogs").then((m) => m.BulkDialogs), { ssr: false });

/** Where decisions about many apps are asked about and told; outside of the list, which begins anew with each tab. */
export function BulkHost() {
  const step = useBulkStep();
  return step && <BulkDialogs step={step} />;
}
