"use client";
import { Undo2 } from "lucide-react";
import { useRouter } from "next/navigation";
import { showDone, showProblem } from "@/app/_components/feedback/show-toast";
import { useAction } from "@/app/_components/hooks/use-action";
import { Button } from "@/app/_components/ui/button";
import { historyPath } from "@/app/_releases/history/history-data";
import { reviewPath } from "@/app/_releases/item-address";
import type { ItemKey } from "@/lib/labels/release-items";

/** Stores an old version again as the newest of staging, and leads to its review. */
export function RestoreButton({ item, id }: Readonly<{ item: ItemKey; id: number }>) {
  const router = useRouter();
  const restore = useAction(`${historyPath(item)}/restore`);
  async function run() {
    try {
      await restore.run({ id });
      showDone(`Version ${id} is back in staging`);
      router.push(reviewPath([{ item }]));
    } catch (error) {
      showProblem(error);
    }
  }
  return (
    <Button
      size="sm"
      needsServer
      needs="edit"
      busy={restore.isRunning}
      aria-label={`Restore version ${id}`}
      onClick={() => void run()}
    >
      <Undo2 aria-hidden="true" />
      Restore
    </Button>
  );
}
