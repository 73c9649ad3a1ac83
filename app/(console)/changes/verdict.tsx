"use client";
import { useState } from "react";
import { pathsOfChoice, pathsOfRelease, type Review } from "@/app/_releases/publication";
import { Problem } from "@/app/_components/feedback/problem";
import { cn } from "@/app/_components/ui/cn";
import { partOnDemand } from "@/app/_components/overlay/on-demand";
import { Spinner } from "@/app/_components/ui/spinner";
import type { EffectPaths } from "@/app/_releases/effect-apps";
import { ChecksSection, EffectSection } from "@/app/_releases/verdict-sections";
import type { ApprovalAnswer } from "@/lib/releases/answer-schema";

const GroupEffects = partOnDemand(() => import("../functionalgroups/group-effect").then((m) => m.GroupEffects), "h-16");

/** Checks of the selected items and their effect on apps, reloaded with every change of the selection (L6, L7). */
export function Verdict({ review }: Readonly<{ review: Review }>) {
  const { chosen, isAll, checks, effect, isTelling, error, choose } = review;
  const [byGroup, setByGroup] = useState(false);
  const groupIds = chosen.flatMap(({ family, id }) => (family === "group" ? [id] : []));
  if (error !== undefined) return <Problem error={error} />;
  if (chosen.length === 0) return null;
  return (
    <div aria-busy={isTelling} className={cn("space-y-4", isTelling && "opacity-60")}>
      <ChecksSection
        checks={checks}
        actions={isTelling && <Spinner label="Checking" />}
        onInclude={(items) => choose(items, true)}
      />
      {effect !== null && (
        <EffectSection effect={effect} bytes={effect.bytes} {...pathsOfChoice(chosen, isAll)}>
          {groupIds.length > 0 && (
            <details
              className="border-t border-line not-open:print:hidden"
              onToggle={({ currentTarget }) => setByGroup(currentTarget.open)}
            >
              <summary className="cursor-pointer px-4 py-2 text-table text-link -outline-offset-2">
                By functional group
              </summary>
              <div className="max-h-96 overflow-y-auto px-4 pb-3">{byGroup && <GroupEffects ids={groupIds} />}</div>
            </details>
          )}
        </EffectSection>
      )}
    </div>
  );
}

export function RequestVerdict({ request }: Readonly<{ request: ApprovalAnswer }>) {
  const { approval, checks, effect } = request;
  // Decisions about apps are checked when they are approved.
  const isOfApp = ["decision", "flag", "import"].includes(approval.kind);
  return (
    <>
      {!isOfApp && <ChecksSection checks={checks} />}
      <EffectSection effect={effect} bytes={effect.bytes} {...pathsOf(request)} />
    </>
  );
}

/** The items of a decision tell what it does to its app. */
function pathsOf({ approval: { kind, returned_to: number }, items }: ApprovalAnswer): EffectPaths {
  if (kind === "publish") return pathsOfChoice(items, false);
  return kind === "return" && number !== null ? pathsOfRelease(number, "return") : { pathOf: null };
}
