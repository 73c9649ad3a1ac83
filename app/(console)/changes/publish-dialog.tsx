import { useRouter } from "next/navigation";
import { useState } from "react";
import { findObstacle, numberOf, type Review } from "@/app/_releases/publication";
import { movedItems, type MovedItemJson, type PublicationAnswer } from "@/lib/releases/answer-schema";
import { ApiError } from "@/lib/platform/http/client";
import { findLostDefault } from "../functionalgroups/effect-labels";
import { usePromotionEffect } from "../functionalgroups/group-effect";
import { ConfirmDialog } from "@/app/_components/overlay/confirm-dialog";
import { showDone } from "@/app/_components/feedback/show-toast";
import { useAction } from "@/app/_components/hooks/use-action";
import { CheckList } from "@/app/_releases/check-list";
import { describeAppsEffect } from "@/lib/releases/describe-effect";
import { findTimeProblem, fromField, inHours, toField } from "@/app/_releases/local-time";
import { ReleaseFields, toMembers, useReleaseText } from "@/app/_releases/release-fields";
import {
  findStepProblem,
  type RolloutDraft,
  RolloutFields,
  toRolloutRequest,
  usualRollout,
} from "@/app/_releases/rollout-fields";
import { describePlan } from "@/app/_releases/labels";
import { plural } from "@/lib/vocabulary/format-number";
import { CalendarClock, Gauge } from "lucide-react";
import { TextField } from "@/app/_components/fields/text-field";
import { Button } from "@/app/_components/ui/button";

/** From this number of items on, and if something is removed, a typed word confirms. */
const maxWithoutWord = 10;

/** Confirms and publishes the selected items, now or at a scheduled time. */
export function PublishDialog({
  review: { chosen, checks, effect, reload },
  asksSecond,
  onMoved,
  onClose,
}: Readonly<{
  review: Review;
  asksSecond: boolean;
  /** Nothing was published: somebody else has saved in the meantime (L8). */
  onMoved: (moved: readonly MovedItemJson[]) => void;
  onClose: () => void;
}>) {
  const router = useRouter();
  const action = useAction("/api/v1/releases");
  const { text, set } = useReleaseText();
  const [at, setAt] = useState<string | null>(null);
  const [atProblem, setAtProblem] = useState<string | null>(null);
  const [rollout, setRollout] = useState<RolloutDraft | null>(null);
  const groups = usePromotionEffect(chosen.flatMap(({ family, id }) => (family === "group" ? [id] : [])));
  const lostDefault = groups.effect === null ? null : findLostDefault(groups.effect);
  // Keeps the dialog's content while the review reloads.
  const [asked] = useState({ chosen, effect, findings: (checks ?? []).filter(({ level }) => level === "finding") });
  const { findings } = asked;
  const hasFindings = findings.length > 0;
  const count = plural(asked.chosen.length, "change");

  async function publish() {
    const items = asked.chosen.map(({ family, key, id }) => ({ family, key, id }));
    const body = {
      ...{ items, ...toMembers(text, hasFindings) },
      ...(at !== null && { at: fromField(at) }),
      ...(rollout !== null && { rollout: toRolloutRequest(rollout) }),
    };
    try {
      const answer = (await action.run(body)) as PublicationAnswer;
      if ("approval" in answer) {
        showDone("Another publisher has to approve this");
      } else if (at !== null) {
        showDone(`${count} will be published ${at.replace("T", " ")}`, {
          label: "Scheduled releases",
          onClick: () => router.push("/releases"),
        });
      } else {
        const number = numberOf(answer);
        showDone(`Published ${count}${number === null ? "" : ` as release #${number}`}`, {
          label: "View release",
          onClick: () => router.push(number === null ? "/releases" : `/releases/${number}`),
        });
      }
      await reload();
    } catch (error) {
      setAtProblem(findTimeProblem(error));
      await reload();
      const { moved = [] } = movedItems.safeParse(error instanceof ApiError ? error.data : null).data ?? {};
      if (moved.length === 0) throw error;
      onMoved(moved);
    }
  }

  const isLarge = asked.chosen.length > maxWithoutWord || asked.chosen.some(({ change }) => change === "delete");
  const typedWord = lostDefault ?? (isLarge ? "production" : null);
  const isReasonMissing = hasFindings && text.reason.trim() === "";
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={`Publish ${count}?`}
      confirmLabel={asksSecond ? `Request to publish ${count}` : at === null ? `Publish ${count}` : `Schedule ${count}`}
      danger={hasFindings || typedWord !== null}
      {...(typedWord !== null && { typedWord })}
      disabledReason={
        findObstacle(asked.chosen.length, checks) ??
        (groups.isKnown ? null : " ") ??
        (isReasonMissing ? "Give a reason for publishing despite the problems" : null) ??
        (rollout === null ? null : findStepProblem(rollout))
      }
      onConfirm={publish}
      fields={
        <div className="space-y-3">
          <ReleaseFields text={text} onChange={set} hasFindings={hasFindings} />
          {(at === null || rollout === null) && (
            <div className="-ml-2 flex flex-wrap gap-x-2">
              {at === null && (
                <Button size="sm" variant="ghost" onClick={() => setAt(toField(inHours(1)))}>
                  <CalendarClock aria-hidden="true" />
                  Schedule instead
                </Button>
              )}
              {rollout === null && (
                <Button size="sm" variant="ghost" onClick={() => setRollout(usualRollout)}>
                  <Gauge aria-hidden="true" />
                  To some vehicles first
                </Button>
              )}
            </div>
          )}
          {at !== null && (
            <PublishTime
              at={at}
              problem={atProblem}
              onChange={(next) => {
                setAt(next);
                setAtProblem(null);
              }}
            />
          )}
          {rollout !== null && (
            <div className="space-y-3 rounded-control border border-line p-3">
              <RolloutFields draft={rollout} onChange={setRollout} />
              <Button size="sm" onClick={() => setRollout(null)}>
                All vehicles at once
              </Button>
            </div>
          )}
        </div>
      }
    >
      <p className="text-text">
        <span className="font-medium">{describePlan(asked.chosen)}.</span>{" "}
        {asked.effect !== null && describeAppsEffect(asked.effect)}
      </p>
      {asksSecond && <p className="text-text">The request waits on this page until another publisher approves it.</p>}
      <p>
        {at === null
          ? describeWhen(asksSecond, rollout !== null)
          : "If one of the items changes before then, nothing is published."}
      </p>
      {lostDefault !== null && <p className="text-bad">{`Every app loses what ${lostDefault} allows.`}</p>}
      {hasFindings && <CheckList checks={findings} />}
    </ConfirmDialog>
  );
}

function describeWhen(asksSecond: boolean, isRollout: boolean): string {
  if (isRollout) return "The vehicles of the first step receive the release with their next policy update.";
  const when = asksSecond ? "then" : "at once";
  return `The production table changes ${when}. Vehicles receive it with their next policy update.`;
}

/** When to publish, in the reader's time zone (L11). */
function PublishTime({
  at,
  problem,
  onChange,
}: Readonly<{
  /** The value of the browser's field, without a zone. */
  at: string;
  problem: string | null;
  onChange: (at: string | null) => void;
}>) {
  return (
    <div className="flex items-end gap-2">
      <TextField
        label="Publish at"
        hint="In your time zone, up to 90 days in advance. The checks run again at that time."
        type="datetime-local"
        value={at}
        error={problem}
        className="grow"
        onChange={(text) => {
          if (text !== "") onChange(text);
        }}
      />
      <Button className="mb-5.5" onClick={() => onChange(null)}>
        Now
      </Button>
    </div>
  );
}
