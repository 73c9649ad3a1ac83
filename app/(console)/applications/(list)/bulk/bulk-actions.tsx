import {
  Ban,
  CircleCheck,
  CircleMinus,
  Ellipsis,
  FlaskConical,
  Undo2,
  Zap,
  ZapOff,
  type LucideIcon,
} from "lucide-react";
import { useSearchParams } from "next/navigation";
import { useEffect } from "react";
import { describeLack, useRole } from "@/app/_components/shell/role";
import type { Selection } from "@/app/_components/list/table/use-selection";
import { Menu } from "@/app/_components/overlay/menu";
import { Button } from "@/app/_components/ui/button";
import type { ListState } from "@/lib/apps/applications/console/console-schema";
import type { BulkDecision } from "@/lib/apps/applications/bulk/schema";
import type { Need } from "@/lib/vocabulary/roles";
import { type BulkChoice, setBulkStep } from "./bulk-store";

const looks: Readonly<Record<BulkDecision, { readonly icon: LucideIcon; readonly label: string }>> = {
  accept: { icon: CircleCheck, label: "Approve for production…" },
  stage: { icon: FlaskConical, label: "Move to staging…" },
  limit: { icon: CircleMinus, label: "Limit…" },
  block: { icon: Ban, label: "Block…" },
  unblock: { icon: Undo2, label: "Unblock…" },
  auto_on: { icon: Zap, label: "Turn on automatic approval…" },
  auto_off: { icon: ZapOff, label: "Turn off automatic approval…" },
};
/** The first two are buttons beside the menu. */
const offered: Readonly<Record<ListState, readonly BulkDecision[]>> = {
  review: ["accept", "stage", "limit", "block"],
  staging: ["accept", "limit", "block"],
  accepted: ["limit", "block", "stage"],
  limited: ["accept", "stage", "block"],
  blocked: ["unblock"],
  all: ["accept", "stage", "limit", "block", "unblock"],
};
/** Tabs that may list apps not yet in production: editors move those to staging (`people.md` section 2). */
const withNew: ReadonlySet<ListState> = new Set(["review", "all"]);

/** Apps that need more are excluded with the reason. */
function needOf(decision: BulkDecision, state: ListState): Need {
  return decision === "block" || (decision === "stage" && withNew.has(state)) ? "edit" : "publish";
}
const pages: ReadonlySet<string> = new Set(["size", "after", "before"]);

export function BulkActions({ selection, state }: Readonly<{ selection: Selection; state: ListState }>) {
  const parameters = useSearchParams();
  const role = useRole();
  useEffect(() => void import("./bulk-dialogs"), []);

  function ask(decision: BulkDecision) {
    const filter = Object.fromEntries([...parameters].filter(([name]) => !pages.has(name)));
    const choice: BulkChoice = selection.isAll ? { filter } : { uuids: selection.ids };
    setBulkStep({ kind: "ask", decision, choice, reason: "", onSent: selection.clear });
  }

  const all = offered[state];
  return (
    <>
      {all.slice(0, 2).map((decision) => {
        const { icon: Icon, label } = looks[decision];
        return (
          <Button key={decision} size="sm" needsServer needs={needOf(decision, state)} onClick={() => ask(decision)}>
            <Icon aria-hidden="true" />
            {label}
          </Button>
        );
      })}
      <Menu
        trigger={
          <Button size="sm" aria-label="Other decisions">
            <Ellipsis aria-hidden="true" />
          </Button>
        }
        entries={[...all.slice(2), "auto_on" as const, "auto_off" as const].map((decision) => ({
          ...looks[decision],
          danger: decision === "block",
          disabledReason: describeLack(role, needOf(decision, state)),
          onSelect: () => ask(decision),
        }))}
      />
    </>
  );
}
