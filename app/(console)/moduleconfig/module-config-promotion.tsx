"use client";
import dynamic from "next/dynamic";
import { useState } from "react";
import { PromoteButton } from "@/app/_records/promote-button";
import type { PromotedDraft } from "./promote-dialog";

const PromoteDialog = dynamic(() => import("./promote-dialog").then((m) => m.PromoteDialog), { ssr: false });

/** Publishes the state of staging, after showing what will change. Absent while there is nothing to promote. */
export function ModuleConfigPromotion(state: Readonly<PromotedDraft>) {
  const [isAsking, setIsAsking] = useState(false);
  return (
    <>
      {(state.isModified || state.draft.isDirty || isAsking) && (
        <PromoteButton
          onClick={() => {
            setIsAsking(true);
          }}
        />
      )}
      {isAsking && (
        <PromoteDialog
          {...state}
          onClose={() => {
            setIsAsking(false);
          }}
        />
      )}
    </>
  );
}
