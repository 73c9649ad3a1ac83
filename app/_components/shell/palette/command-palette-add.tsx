import { useEffect, useState } from "react";
import type { WantedPermission } from "@/app/(console)/functionalgroups/group-form";
import { AddToGroupDialog } from "@/app/(console)/functionalgroups/add-to-group-dialog";
import { showProblem } from "@/app/_components/feedback/show-toast";
import { KeyHold } from "@/app/_components/overlay/on-demand";
import { get } from "@/lib/platform/http/client";

export function CommandPaletteAdd({ wanted, onClose }: Readonly<{ wanted: WantedPermission; onClose: () => void }>) {
  const [names, setNames] = useState<readonly string[] | null>(null);
  useEffect(() => {
    let isGone = false;
    get("/api/v1/groups/names").then(
      (data) => {
        if (!isGone) setNames((data as { names: string[] }).names);
      },
      (error: unknown) => {
        if (isGone) return;
        showProblem(error);
        onClose();
      },
    );
    return () => {
      isGone = true;
    };
    // Runs once: the dialog's choices must not change while somebody reads them.
    // oxlint-disable-next-line react/exhaustive-deps
  }, []);
  return names === null ? (
    <KeyHold onEscape={onClose} />
  ) : (
    <AddToGroupDialog
      wanted={[wanted]}
      groupNames={names}
      onClose={onClose}
      // The save itself reloads the page and the counters.
      onAdded={() => undefined}
    />
  );
}
