"use client";
import { useRouter } from "next/navigation";
import useSWR from "swr";
import { ErrorPanel } from "@/app/_components/feedback/error-panel";
import { showDone } from "@/app/_components/feedback/show-toast";
import { useAction } from "@/app/_components/hooks/use-action";
import { ConfirmDialog } from "@/app/_components/overlay/confirm-dialog";
import { Skeleton } from "@/app/_components/ui/skeleton";
import { CheckList } from "@/app/_releases/check-list";
import { EffectApps } from "@/app/_releases/effect-apps";
import { EffectSize } from "@/app/_releases/effect-facts";
import { ReleaseFields, toMembers, useReleaseText } from "@/app/_releases/release-fields";
import { readNumber, wasAsked } from "@/app/_releases/publication";
import { describePlan } from "@/app/_releases/labels";
import type { ReleaseOutlineJson } from "@/lib/content/releases/answer-schema";
import { plural } from "@/lib/labels/format-number";
import { needsWord } from "@/app/_releases/review-data";
import { CurrentAndTarget } from "./current-and-target";
import { ReturnItems } from "./return-items";
import { loadReturn, type PlannedReturn } from "./planned-return";

/** Shows what a return does before it is done: what production has and will have, checks and effect (L12). */
export function ReturnDialog({
  release,
  current,
  onClose,
}: Readonly<{
  release: Pick<ReleaseOutlineJson, "number" | "name" | "at">;
  current: Pick<ReleaseOutlineJson, "number" | "name" | "at">;
  onClose: () => void;
}>) {
  const router = useRouter();
  const path = `/api/v1/releases/${release.number}/return`;
  const action = useAction(path);
  const { text, set } = useReleaseText();
  const {
    data: plan,
    error,
    mutate,
  } = useSWR<PlannedReturn, unknown>([path, "plan"], () => loadReturn(path), {
    // Asked anew each time: what it would do changes with every publication.
    dedupingInterval: 0,
    keepPreviousData: false,
    revalidateOnMount: true,
    shouldRetryOnError: false,
  });
  const checks = plan?.checks ?? [];
  const hasFindings = checks.some(({ level }) => level === "finding");

  async function confirm() {
    const answer = await action.run(toMembers(text, hasFindings));
    if (wasAsked(answer)) {
      showDone("Another publisher has to approve it now");
      router.push("/changes");
      return;
    }
    const number = readNumber(answer);
    showDone(`Production is again what it was as of release #${release.number}`);
    if (number !== null) router.push(`/releases/${number}`);
  }

  const obstacle = checks.some(({ level }) => level === "block")
    ? "A check forbids it"
    : hasFindings && text.reason.trim() === ""
      ? "Give the reason for returning in spite of what head units would refuse"
      : null;
  return (
    <ConfirmDialog
      open
      onOpenChange={(isOpen) => {
        if (!isOpen) onClose();
      }}
      title={`Return to release #${release.number}?`}
      confirmLabel={`Return to #${release.number}`}
      danger
      {...(plan !== undefined && needsWord(plan.items) && { typedWord: "production" })}
      disabledReason={error !== undefined ? " " : plan === undefined ? "It is looked at what that would do" : obstacle}
      onConfirm={confirm}
      fields={plan && <ReleaseFields text={text} onChange={set} hasFindings={hasFindings} />}
    >
      <CurrentAndTarget current={current} target={release} />
      {error !== undefined && <ErrorPanel error={error} onRetry={() => void mutate()} />}
      {error === undefined && plan === undefined && <Skeleton className="h-24" />}
      {plan !== undefined && (
        <>
          <p className="text-text">
            <span className="font-medium">{describePlan(plan.items)}.</span> It takes effect at once, as a new release.
            What waits in staging keeps waiting; decisions about apps stay as they are.
          </p>
          <ReturnItems items={plan.items} />
          {checks.length > 0 && <CheckList checks={checks} />}
          {plan.effect !== null && (
            <div className="rounded-card border border-line text-text">
              <div className="space-y-1 px-4 py-2">
                <p>{`${plural(plan.effect.apps_changed, "app")} in production will be changed.`}</p>
                <EffectSize bytes={plan.effect.bytes} />
              </div>
              <EffectApps effect={plan.effect} pathOf={null} />
            </div>
          )}
        </>
      )}
    </ConfirmDialog>
  );
}
