import { Ban, CircleCheck, CircleMinus, Undo2 } from "lucide-react";
import { useRole } from "@/app/_components/shell/role";
import { useOnline } from "@/app/_components/hooks/use-online";
import { Button } from "@/app/_components/ui/button";
import { Chip } from "@/app/_components/ui/chip";
import type { Decision } from "@/lib/apps/applications/decisions";
import { mayDo } from "@/lib/vocabulary/roles";
import { useDecisions } from "../../decision-provider";
import { Key, usePanelKeys } from "./panel-keys";

const choices = [
  { decision: "accept", key: "1", label: "Approve", icon: CircleCheck },
  { decision: "limit", key: "2", label: "Limit…", icon: CircleMinus },
  { decision: "block", key: "3", label: "Block…", icon: Ban },
] as const satisfies readonly { readonly decision: Decision; readonly [member: string]: unknown }[];

/** Approvals are only collected, and the panel moves on. */
export function ReviewActions({
  isApproved,
  isDecided,
  onApprove,
  onTakeBack,
}: Readonly<{ isApproved: boolean; isDecided: boolean; onApprove: () => void; onTakeBack: () => void }>) {
  const { subject, offers: all, decide, isBusy } = useDecisions();
  const role = useRole();
  const isOnline = useOnline();
  const isDone = isApproved || isDecided || isBusy;
  const offers = choices.flatMap(({ decision, ...look }) => {
    const offer = all.find((one) => one.decision === decision);
    if (offer === undefined) return [];
    return [{ ...look, needs: offer.needs, act: () => (decision === "accept" ? onApprove() : decide(offer.next)) }];
  });
  const allowed = isDone || !isOnline ? [] : offers.filter(({ needs }) => mayDo(role, needs));
  usePanelKeys({
    ...Object.fromEntries(allowed.map(({ key, act }) => [key, act])),
    ...(isApproved && { u: onTakeBack }),
  });
  return (
    <div className="flex flex-wrap items-center gap-2 border-t border-line px-5 py-3">
      {isApproved ? (
        <>
          <Chip tone="good" icon={CircleCheck}>
            Will be approved
          </Chip>
          <Button size="sm" onClick={onTakeBack}>
            <Undo2 aria-hidden="true" />
            Take back <Key name="u" />
          </Button>
        </>
      ) : isDecided ? (
        <Chip tone="calm">{`Decided about ${subject.name}`}</Chip>
      ) : (
        offers.map(({ key, label, icon: Icon, needs, act }, at) => (
          <Button
            key={key}
            variant={at === 0 ? "primary" : "secondary"}
            needsServer
            needs={needs}
            disabled={isBusy}
            aria-keyshortcuts={key}
            onClick={act}
          >
            <Icon aria-hidden="true" />
            {label} <Key name={key} />
          </Button>
        ))
      )}
    </div>
  );
}
