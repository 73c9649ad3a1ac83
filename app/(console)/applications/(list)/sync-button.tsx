"use client";
import { RefreshCw } from "lucide-react";
import { useRouter } from "next/navigation";
import { Button } from "@/app/_components/ui/button";
import { showDone } from "@/app/_components/feedback/show-toast";
import { useAction } from "@/app/_components/hooks/use-action";

/** The server works in the background; the list refreshes a while later. */
export function SyncButton() {
  const router = useRouter();
  const { tryRun, isRunning } = useAction("/api/v1/ui/sync");

  async function sync() {
    if (!(await tryRun())) return;
    showDone("Reading the app directory", {
      label: "Reload list",
      onClick: () => router.refresh(),
    });
  }

  return (
    <Button variant="primary" needsServer needs="edit" busy={isRunning} onClick={() => void sync()}>
      <RefreshCw aria-hidden="true" />
      Sync now
    </Button>
  );
}
