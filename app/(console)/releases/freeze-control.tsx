"use client";
import { Snowflake } from "lucide-react";
import dynamic from "next/dynamic";
import { useState } from "react";
import { useAction } from "@/app/_components/hooks/use-action";
import { Button } from "@/app/_components/ui/button";
import type { FreezeAnswer } from "@/lib/releases/answer-schema";

const FreezeDialog = dynamic(() => import("./freeze-dialog").then((m) => m.FreezeDialog), { ssr: false });

/** Plans, changes and lifts the window in which nothing is published (L14). */
export function FreezeControl({ freeze }: Readonly<{ freeze: FreezeAnswer["freeze"] }>) {
  const [isAsking, setIsAsking] = useState(false);
  const action = useAction("/api/v1/releases/freeze", { method: "put" });
  return (
    <>
      <Button
        needsServer
        aria-haspopup="dialog"
        onClick={() => {
          setIsAsking(true);
        }}
      >
        <Snowflake aria-hidden="true" />
        {freeze === null ? "Freeze…" : "Change the freeze…"}
      </Button>
      {freeze !== null && (
        <Button needsServer busy={action.isRunning} onClick={() => void action.tryRun({ reason: null })}>
          Lift it
        </Button>
      )}
      {isAsking && (
        <FreezeDialog
          freeze={freeze}
          onClose={() => {
            setIsAsking(false);
          }}
        />
      )}
    </>
  );
}
