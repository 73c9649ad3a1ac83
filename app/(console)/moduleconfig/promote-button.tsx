"use client";
import { Rocket } from "lucide-react";
import dynamic from "next/dynamic";
import { useState } from "react";
import { Button } from "@/app/_components/ui/button";
import type { PromotedDraft } from "./promote-dialog";

const PromoteDialog = dynamic(() => import("./promote-dialog").then((m) => m.PromoteDialog), { ssr: false });

/** Publishes the state of staging, after showing what will change. Absent while there is nothing to promote. */
export function PromoteButton(state: Readonly<PromotedDraft>) {
  const [isAsking, setIsAsking] = useState(false);
  return (
    <>
      {(state.isModified || state.draft.isDirty || isAsking) && (
        <Button
          variant="primary"
          needsServer
          aria-haspopup="dialog"
          aria-expanded={isAsking}
          onClick={() => {
            setIsAsking(true);
          }}
        >
          <Rocket aria-hidden="true" />
          Promote…
        </Button>
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
