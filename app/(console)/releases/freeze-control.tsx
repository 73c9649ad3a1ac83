"use client";
import { Snowflake } from "lucide-react";
import { useAction } from "@/app/_components/hooks/use-action";
import { useOpener } from "@/app/_components/overlay/opener";
import { Button } from "@/app/_components/ui/button";
import { dialogOnDemand } from "@/app/_components/overlay/on-demand";
import type { FreezeAnswer } from "@/lib/releases/answer-schema";

const FreezeDialog = dialogOnDemand(() => import("./freeze-dialog").then((m) => m.FreezeDialog));

/** Plans, changes and lifts a publication freeze (L14). */
export function FreezeControl({ freeze }: Readonly<{ freeze: FreezeAnswer["freeze"] }>) {
  const action = useAction("/api/v1/releases/freeze", { method: "put" });
  const [button, { open, onOpenChange }] = useOpener({
    trigger: (
      <Button needsServer needs="administer">
        <Snowflake aria-hidden="true" />
        {freeze === null ? "Freeze production…" : "Change the freeze…"}
      </Button>
    ),
  });
  return (
    <>
      {button}
      {/* Forgets what was typed once it is closed. */}
      {open && <FreezeDialog freeze={freeze} onClose={() => onOpenChange(false)} />}
      {freeze !== null && (
        <Button
          needsServer
          needs="administer"
          busy={action.isRunning}
          onClick={() => void action.tryRun({ reason: null })}
        >
          Lift freeze
        </Button>
      )}
    </>
  );
}
