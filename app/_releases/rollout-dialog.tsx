import { useAction } from "@/app/_components/hooks/use-action";
import { ConfirmDialog } from "@/app/_components/overlay/confirm-dialog";
import { showDone } from "@/app/_components/feedback/show-toast";
import type { RolloutJson } from "@/lib/releases/answer-schema";
import { formatNumber } from "@/lib/vocabulary/format-number";

/** What gives or takes a release to or from many vehicles, so that it is confirmed. */
export type AskedCommand = "advance" | "finish" | "cancel";

interface Words {
  readonly title: string;
  readonly effect: string;
  readonly confirm: string;
  readonly done: string;
}

export function RolloutDialog({
  command,
  rollout,
  onClose,
}: Readonly<{ command: AskedCommand; rollout: RolloutJson; onClose: () => void }>) {
  const action = useAction(`/api/v1/rollouts/current/${command}`);
  const { title, effect, confirm, done } = wordsOf(command, rollout);
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={title}
      confirmLabel={confirm}
      danger={command === "cancel"}
      onConfirm={async () => {
        await action.run();
        showDone(done);
      }}
    >
      <p>{effect}</p>
    </ConfirmDialog>
  );
}

function wordsOf(command: AskedCommand, { release, before, steps, step }: RolloutJson): Words {
  const next = steps[step + 1];
  if (command === "cancel") {
    return {
      title: `Call off the rollout of release #${release}?`,
      effect: `Production is rolled back to release #${before}. Vehicles that have release #${release} get the one before with their next policy update.`,
      confirm: "Call off",
      done: "Rollout called off",
    };
  }
  if (command === "finish" || next === undefined) {
    return {
      title: `Finish the rollout of release #${release}?`,
      effect: "All vehicles get it with their next policy update, whatever the steps say.",
      confirm: "Finish",
      done: `Release #${release} goes to all vehicles`,
    };
  }
  return {
    title: `Go on to ${formatNumber(next.percent)} % of vehicles?`,
    effect: `They get release #${release} with their next policy update. You don't have to wait for the end of this step.`,
    confirm: "Go on",
    done: `Release #${release} goes to ${formatNumber(next.percent)} % of vehicles`,
  };
}
