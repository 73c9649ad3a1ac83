"use client";
import { Snowflake } from "lucide-react";
import dynamic from "next/dynamic";
import { useAction } from "@/app/_components/hooks/use-action";
import { LazyDialog } from "@/app/_components/overlay/lazy-dialog";
import { Button } from "@/app/_components/ui/button";
import type { FreezeAnswer } from "@/lib/content/releases/answer-schema";

const load = () => import("./freeze-dialog");
const FreezeDialog = dynamic(() => load().then((m) => m.FreezeDialog), { ssr: false });

/** Plans, changes and lifts the window in which nothing is published (L14). */
export function FreezeControl({ freeze }: Readonly<{ freeze: FreezeAnswer["freeze"] }>) {
  const action = useAction("/api/v1/releases/freeze", { method: "put" });
  const trigger = (
    <Button needsServer needs="administer">
      <Snowflake aria-hidden="true" />
      {freeze === null ? "Freeze…" : "Change the freeze…"}
    </Button>
  );
  return (
    <>
      <LazyDialog trigger={trigger} open={undefined} onOpenChange={undefined} load={load}>
        {/* Closed, it forgets what was typed. */}
        {({ open, onOpenChange }) => open && <FreezeDialog freeze={freeze} onClose={() => onOpenChange(false)} />}
      </LazyDialog>
      {freeze !== null && (
        <Button
          needsServer
          needs="administer"
          busy={action.isRunning}
          onClick={() => void action.tryRun({ reason: null })}
        >
          Lift it
        </Button>
      )}
    </>
  );
}
