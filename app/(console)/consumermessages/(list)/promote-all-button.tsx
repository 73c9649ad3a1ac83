"use client";
import { Rocket } from "lucide-react";
import { useState } from "react";
import { Button } from "@/app/_components/button";
import type { WaitingMessage } from "@/lib/messages/console-queries";
import { PromoteMessagesDialog } from "./promote-messages-dialog";

/** Promotes everything that waits; absent when nothing does. */
export function PromoteAllButton({ waiting }: Readonly<{ waiting: readonly WaitingMessage[] }>) {
  const [items, setItems] = useState<readonly WaitingMessage[] | null>(null);
  return (
    <>
      {waiting.length > 0 && (
        <Button
          variant="primary"
          onClick={() => {
            setItems(waiting);
          }}
        >
          <Rocket aria-hidden="true" />
          {`Promote all (${waiting.length})`}
        </Button>
      )}
      {items && (
        <PromoteMessagesDialog
          items={items}
          onClose={() => {
            setItems(null);
          }}
        />
      )}
    </>
  );
}
