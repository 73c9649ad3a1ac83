import { CircleCheck } from "lucide-react";
import { useState } from "react";
import { pathOfChoice, type Review } from "@/app/_releases/publication";
import { Problem } from "@/app/_components/feedback/problem";
import { cn } from "@/app/_components/ui/cn";
import { Section } from "@/app/_components/ui/section";
import { partOnDemand } from "@/app/_components/overlay/on-demand";
import { Spinner } from "@/app/_components/ui/spinner";
import { CheckList } from "@/app/_releases/check-list";
import { EffectApps, EffectSize } from "@/app/_releases/effect-apps";
import { plural } from "@/lib/labels/format-number";

const GroupEffects = partOnDemand(() => import("../functionalgroups/group-effect").then((m) => m.GroupEffects), "h-16");

/** What the checks say of the choice, and what it does to apps: told anew whenever the choice changes (L6, L7). */
export function Verdict({ review }: Readonly<{ review: Review }>) {
  const { chosen, isAll, checks, effect, isTelling, error, choose } = review;
  const [byGroup, setByGroup] = useState(false);
  const groupIds = chosen.flatMap(({ family, id }) => (family === "group" ? [id] : []));
  if (error !== undefined) return <Problem error={error} />;
  if (chosen.length === 0) return null;
  return (
    <div aria-busy={isTelling} className={cn("space-y-4", isTelling && "opacity-60")}>
      <Section
        title="Checks"
        description={checks?.length === 0 ? null : "For the selected items in production."}
        actions={isTelling && <Spinner label="Checking" />}
        flush
      >
        {checks !== null && checks.length > 0 && (
          <CheckList checks={checks} onInclude={(item) => choose([item], true)} />
        )}
        {checks?.length === 0 && (
          <p className="flex items-center gap-2 px-4 py-2 text-table">
            <CircleCheck aria-hidden="true" className="size-4 shrink-0 text-good" />
            No problems found. Head units will accept this table.
          </p>
        )}
      </Section>
      {effect !== null && (
        <Section
          title="Effect"
          description={
            effect.apps_changed === 0
              ? "No app in production changes."
              : `${plural(effect.apps_changed, "app")} in production ${effect.apps_changed === 1 ? "changes" : "change"}.`
          }
          flush
        >
          <div className="px-4 py-2">
            <EffectSize bytes={effect.bytes} />
          </div>
          <EffectApps effect={effect} pathOf={(uuid) => pathOfChoice(chosen, isAll, uuid)} />
          {groupIds.length > 0 && (
            <details className="border-t border-line" onToggle={({ currentTarget }) => setByGroup(currentTarget.open)}>
              <summary className="cursor-pointer px-4 py-2 text-table text-link -outline-offset-2">
                By functional group
              </summary>
              <div className="max-h-96 overflow-y-auto px-4 pb-3">{byGroup && <GroupEffects ids={groupIds} />}</div>
            </details>
          )}
        </Section>
      )}
    </div>
  );
}
