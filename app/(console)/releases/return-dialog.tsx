import { useRouter } from "next/navigation";
import useSWR from "swr";
import { ErrorPanel } from "@/app/_components/feedback/error-panel";
import { showDone } from "@/app/_components/feedback/show-toast";
import { useAction } from "@/app/_components/hooks/use-action";
import { ConfirmDialog } from "@/app/_components/overlay/confirm-dialog";
import { Skeleton } from "@/app/_components/ui/skeleton";
import { CheckList } from "@/app/_releases/check-list";
import { EffectApps, EffectSize } from "@/app/_releases/effect-apps";
import { describeAppsEffect } from "@/lib/releases/describe-effect";
import { ReleaseFields, toMembers, useReleaseText } from "@/app/_releases/release-fields";
import { KeptApps } from "@/app/_releases/kept-apps";
import { numberOf, pathsOfRelease } from "@/app/_releases/publication";
import { describePlan, ChangeMark } from "@/app/_releases/labels";
import {
  type KeptAppJson,
  type PublicationAnswer,
  type PublishedAnswer,
  refusedReturn,
  type ReleaseCheckJson,
  type ReleaseEffectJson,
  type ReleaseItemJson,
  type ReleaseOutlineJson,
} from "@/lib/releases/answer-schema";
import { ArrowRight } from "lucide-react";
import { TimeAgo } from "@/app/_components/ui/time-ago";
import { itemText, titleOf } from "@/lib/vocabulary/release-items";
import { ApiError, ask } from "@/lib/platform/http/client";

/** A state of production, as the release that made it. */
export type Point = Pick<ReleaseOutlineJson, "number" | "name" | "at">;

/** Previews a rollback: production now and then, checks and effect (L12). */
export function ReturnDialog({
  release,
  current,
  onClose,
}: Readonly<{ release: Point; current: Point; onClose: () => void }>) {
  const router = useRouter();
  const path = `/api/v1/releases/${release.number}/return`;
  const action = useAction(path);
  const { text, set } = useReleaseText();
  const {
    data: plan,
    error,
    mutate,
  } = useSWR<PlannedReturn, unknown>([path, "plan"], () => loadReturn(path), {
    // Requested every time: the result changes with every publication.
    dedupingInterval: 0,
    keepPreviousData: false,
    revalidateOnMount: true,
    shouldRetryOnError: false,
  });
  const checks = plan?.checks ?? [];
  const hasFindings = checks.some(({ level }) => level === "finding");

  async function confirm() {
    const answer = (await action.run(toMembers(text, hasFindings))) as PublicationAnswer;
    if ("approval" in answer) {
      showDone("Another publisher has to approve this");
      router.push("/changes");
      return;
    }
    const number = numberOf(answer);
    showDone(`Rolled back to release #${release.number}`);
    if (number !== null) router.push(`/releases/${number}`);
  }

  const isNothing = plan !== undefined && plan.items.length + checks.length === 0;
  const obstacle = checks.some(({ level }) => level === "block")
    ? "A check blocks this"
    : isNothing
      ? "There is nothing else to roll back"
      : hasFindings && text.reason.trim() === ""
        ? "Give a reason for rolling back despite the problems"
        : null;
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={`Roll back to release #${release.number}?`}
      confirmLabel={`Roll back to #${release.number}`}
      danger
      {...(plan !== undefined && plan.items.length > 0 && { typedWord: "production" })}
      disabledReason={error !== undefined ? " " : plan === undefined ? "Checking the effect…" : obstacle}
      onConfirm={confirm}
      fields={plan && !isNothing && <ReleaseFields text={text} onChange={set} hasFindings={hasFindings} />}
    >
      <CurrentAndTarget current={current} target={release} />
      {error !== undefined && <ErrorPanel error={error} onRetry={() => void mutate()} />}
      {error === undefined && plan === undefined && <Skeleton className="h-24" />}
      {plan !== undefined && (
        <>
          {!isNothing && (
            <p className="text-text">
              <span className="font-medium">{describePlan(plan.items)}.</span> This takes effect at once, as a new
              release. Changes in staging and decisions about apps stay as they are.
            </p>
          )}
          <ReturnItems items={plan.items} />
          <KeptApps apps={plan.kept} number={release.number} />
          {checks.length > 0 && <CheckList checks={checks} />}
          {plan.effect !== null && (
            <div className="rounded-card border border-line text-text">
              <div className="space-y-1 px-4 py-2">
                <p>{describeAppsEffect(plan.effect)}</p>
                <EffectSize bytes={plan.effect.bytes} />
              </div>
              <EffectApps effect={plan.effect} {...pathsOfRelease(release.number, "return")} />
            </div>
          )}
        </>
      )}
    </ConfirmDialog>
  );
}

function CurrentAndTarget({ current, target }: Readonly<{ current: Point; target: Point }>) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_auto_minmax(0,1fr)] items-center gap-2 text-text">
      <Side title="Production now" point={current} />
      <ArrowRight aria-hidden="true" className="size-4 text-muted" />
      <Side title="Afterwards as in" point={target} />
    </div>
  );
}

function Side({ title, point: { number, name, at } }: Readonly<{ title: string; point: Point }>) {
  return (
    <div className="h-full rounded-card border border-line px-3 py-2">
      <p className="text-xs text-muted">{title}</p>
      <p className="font-medium wrap-anywhere">
        #{number} {name}
      </p>
      <p className="text-xs text-muted">
        <TimeAgo at={at} exact />
      </p>
    </div>
  );
}

function ReturnItems({ items }: Readonly<{ items: readonly ReleaseItemJson[] }>) {
  if (items.length === 0) return null;
  return (
    <ul className="max-h-56 divide-y divide-line overflow-y-auto rounded-card border border-line text-table text-text">
      {items.map((item) => (
        <li key={itemText(item)} className="flex flex-wrap items-center gap-x-2.5 gap-y-0.5 px-3 py-1.5">
          <ChangeMark change={item.change} />
          <span className="font-medium wrap-anywhere">{titleOf(item)}</span>
          <span className="text-muted">{item.summary}</span>
        </li>
      ))}
    </ul>
  );
}

interface PlannedReturn {
  readonly items: readonly ReleaseItemJson[];
  readonly checks: readonly ReleaseCheckJson[];
  readonly effect: ReleaseEffectJson | null;
  readonly kept: readonly KeptAppJson[];
}

/** `force` needs a reason; this one is never stored. */
const dryRun = JSON.stringify({ dry_run: true, force: true, reason: "Preview" });

/** Previews a rollback. @throws ApiError, for example if production has this state already */
async function loadReturn(path: string): Promise<PlannedReturn> {
  try {
    const {
      release,
      checks = [],
      effect = null,
      apps_kept: kept = [],
    } = (await ask([path, dryRun])) as PublishedAnswer;
    return { items: release.items, checks, effect, kept };
  } catch (error) {
    const refused = refusedReturn.safeParse(error instanceof ApiError ? error.data : null).data;
    if (refused?.checks === undefined && refused?.apps_kept === undefined) throw error;
    return { items: [], checks: refused.checks ?? [], effect: null, kept: refused.apps_kept ?? [] };
  }
}
