import { useRouter } from "next/navigation";
import { useState } from "react";
import { showDone } from "@/app/_components/feedback/show-toast";
import { useAction } from "@/app/_components/hooks/use-action";
import type { ConsoleRow } from "@/lib/apps/applications/console/console-rows";
import { buildActionBody, decidedState } from "@/lib/apps/applications/decisions";
import { DecisionDialog } from "../decision-dialog";

const question = { next: decidedState("block"), reason: "" };

export function BlockDialog({ row, onClose }: Readonly<{ row: ConsoleRow | null; onClose: () => void }>) {
  const router = useRouter();
  const { run } = useAction("/api/v1/applications/action");
  // The words stay while the dialog closes.
  const [shown, setShown] = useState(row);
  if (row !== null && row !== shown) setShown(row);
  if (shown === null || shown.state === "BLOCKED") return null;
  const { id, uuid, name, version, versionId, state } = shown;
  return (
    <DecisionDialog
      open={row !== null}
      question={question}
      name={name}
      label={version}
      from={{ status: state, isBlocked: false }}
      situation={{ id, versions: [{ id, versionId, developerVersion: null, approvalStatus: state }], isBlocked: false }}
      nameOf={() => version}
      onSend={async (next, reason) => {
        await run(buildActionBody({ id, uuid, version_id: versionId }, next, reason));
        showDone(`${name} is blocked`, {
          label: "Revert…",
          onClick: () => {
            router.push(`/applications/${id}?restore=${state}`);
          },
        });
      }}
      onOpenChange={onClose}
    />
  );
}
