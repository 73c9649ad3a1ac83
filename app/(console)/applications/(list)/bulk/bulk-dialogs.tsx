import { useState } from "react";
import useSWR from "swr";
import { deepEqual } from "@/app/_components/form/deep-equal";
import { CheckboxField } from "@/app/_components/fields/checkbox";
import { Notice } from "@/app/_components/feedback/notice";
import { describeProblem } from "@/app/_components/feedback/problem";
import { ConfirmDialog } from "@/app/_components/overlay/confirm-dialog";
import { Skeleton } from "@/app/_components/ui/skeleton";
import {
  type BulkAppJson,
  bulkPreviewAnswer,
  type BulkPreviewAnswer,
  type BulkExcludedJson,
} from "@/lib/apps/applications/bulk/answer-schema";
import { ask } from "@/lib/platform/http/client";
import { plural, formatNumber } from "@/lib/vocabulary/format-number";
import { DecisionEffectLine, sumEffects } from "../../effect-lines";
import { ReasonField, useUsedReasons } from "../../decision-question";
import { type BulkStep, endBulkStep, type BulkRun } from "./bulk-store";
import { bulkLabels, describeTarget, isReported, maxWithoutWord, placeOf, takesReason } from "./bulk-labels";
import { useBulkRun } from "./use-bulk-run";
import { TriangleAlert } from "lucide-react";
import { ApprovalChip } from "@/app/_components/ui/status-chip";
import { distinct } from "@/lib/vocabulary/order";
import { environments } from "@/lib/vocabulary/terms";
import { BulkTable, BulkResult } from "./bulk-result";

type Ask = Extract<BulkStep, { kind: "ask" }>;

const isRefused = ({ findings }: BulkAppJson) => findings.length > 0;

function BulkQuestion({ step }: Readonly<{ step: Ask }>) {
  const { decision, choice } = step;
  const body = JSON.stringify({ decision, ...choice });
  const { data, error, isValidating } = useSWR<BulkPreviewAnswer, unknown>(
    ["/api/v1/ui/applications/bulk/preview", body],
    async (key: readonly [string, string]) => bulkPreviewAnswer.parse(await ask(key)),
    // Fetched every time, and never refreshed while somebody reads it.
    { dedupingInterval: 0, keepPreviousData: false, revalidateOnReconnect: false },
  );
  const [reason, setReason] = useState(step.reason);
  const [isForced, setIsForced] = useState(false);
  const { reasons, remember } = useUsedReasons();
  const { progress, decide } = useBulkRun();
  const { confirm } = bulkLabels[decision];
  const hasReason = takesReason(decision);
  const preview = isValidating || error !== undefined || !data ? null : setAside(data, step.reviewed);
  const refused = preview?.apps.filter(isRefused) ?? [];
  const going = preview?.apps.filter((app) => isForced || !isRefused(app)) ?? [];
  const apps = preview === null ? "the chosen apps" : plural(going.length, "app");
  const isGrave = going.some((app) => app.is_grave || isRefused(app));
  const isTyped = isGrave || (going.length > maxWithoutWord && step.reviewed === undefined);
  const sums = environments.flatMap((environment) => {
    const sum = sumEffects(going.flatMap((app) => (app.environment === environment ? (app.rights ?? []) : [])));
    return sum === "" ? [] : `In ${environment}: ${sum}.`;
  });
  return (
    <ConfirmDialog
      open
      size="lg"
      onOpenChange={() => endBulkStep(step)}
      title={`${confirm(apps)}?`}
      confirmLabel={confirm(apps)}
      danger={isGrave}
      {...(isTyped && { typedWord: placeOf(going) })}
      disabledReason={whyNot(preview, going.length)}
      onConfirm={async () => {
        await decide({ ...step, reason: hasReason ? reason : "" }, going, leftOut(preview, isForced));
        if (hasReason) remember(reason);
      }}
      fields={
        preview !== null && (
          <>
            <BulkAppTable apps={preview.apps} />
            {refused.length > 0 && (
              <CheckboxField
                label={`Also decide about ${plural(refused.length, "app")} that head units would refuse`}
                hint="A vehicle that receives such an entry keeps its old policy table."
                checked={isForced}
                onChange={setIsForced}
              />
            )}
            <ExcludedApps apps={preview.excluded} />
            {hasReason && going.length > 0 && <ReasonField value={reason} onChange={setReason} reasons={reasons} />}
            {progress !== null && <BulkProgress done={progress} total={going.length} />}
          </>
        )
      }
    >
      {error !== undefined && <Notice tone="bad">{describeProblem(error)}</Notice>}
      {preview === null && error === undefined && <Skeleton className="h-24" />}
      {sums.map((sum) => (
        <p key={sum} className="font-medium text-text">
          {sum}
        </p>
      ))}
      {isReported(decision) && going.length > 0 && <p>Each decision is reported to the app directory.</p>}
    </ConfirmDialog>
  );
}

/** Excludes apps that changed since somebody reviewed them. */
function setAside({ apps, excluded }: BulkPreviewAnswer, reviewed: Ask["reviewed"]): BulkPreviewAnswer {
  if (reviewed === undefined) return { apps, excluded };
  const isAsReviewed = ({ uuid, id, seen }: BulkAppJson) => deepEqual(reviewed.get(uuid), { id, seen });
  const reason = "It has changed since you looked at it.";
  const moved = apps.filter((app) => !isAsReviewed(app)).map(({ uuid, name }) => ({ uuid, name, reason }));
  return { apps: apps.filter(isAsReviewed), excluded: [...moved, ...excluded] };
}

function leftOut(preview: BulkPreviewAnswer | null, isForced: boolean) {
  const refused = isForced ? [] : (preview?.apps.filter(isRefused) ?? []);
  const reason = "Head units would refuse this app’s entry.";
  return [...refused.map(({ id, uuid, name }) => ({ id, uuid, name, reason })), ...(preview?.excluded ?? [])];
}

function whyNot(preview: BulkPreviewAnswer | null, going: number): string | null {
  // Nobody can confirm before the effect is known.
  if (preview === null) return " ";
  return going === 0 ? "No app is left to decide about." : null;
}

function BulkAppTable({ apps }: Readonly<{ apps: readonly BulkAppJson[] }>) {
  return (
    <BulkTable label="Effect on each app" headers={["App", "Effect"]} count={apps.length}>
      {apps.map(({ uuid, name, version, state, effect, environment, rights, findings, notes }) => (
        <tr key={uuid}>
          <th scope="row">
            <span className="block wrap-anywhere">{name}</span>
            <span className="flex flex-wrap items-center gap-1.5 text-xs font-normal text-muted">
              {version}
              <ApprovalChip state={state} />
            </span>
          </th>
          <td>
            {rights && <DecisionEffectLine change={{ environment, effect: rights }} />}
            {effect.map((sentence) => (
              <p key={sentence} className={rights ? "text-xs text-muted" : ""}>
                {sentence}
              </p>
            ))}
            {notes.map((note) => (
              <p key={note} className="wrap-anywhere text-warn">
                {note}
              </p>
            ))}
            {distinct(findings.map(({ message }) => message)).map((message) => (
              <p key={message} className="flex gap-1.5 text-bad">
                <TriangleAlert aria-hidden="true" className="mt-0.5 size-3.5 shrink-0" />
                Head units would refuse: {message}
              </p>
            ))}
          </td>
        </tr>
      ))}
    </BulkTable>
  );
}

function ExcludedApps({ apps }: Readonly<{ apps: readonly BulkExcludedJson[] }>) {
  if (apps.length === 0) return null;
  return (
    <details open={apps.length <= 5} className="text-table">
      <summary className="min-h-6 cursor-pointer font-medium">
        {plural(apps.length, "app is left out", "apps are left out")}
      </summary>
      <ul className="mt-1 max-h-40 space-y-0.5 overflow-y-auto">
        {apps.map(({ uuid, name, reason }) => (
          <li key={uuid}>
            <span className="font-medium wrap-anywhere">{name ?? uuid}:</span>{" "}
            <span className="text-muted">{reason}</span>
          </li>
        ))}
      </ul>
    </details>
  );
}

function BulkUndo({ step, run }: Readonly<{ step: BulkStep; run: BulkRun }>) {
  const { progress, undo } = useBulkRun();
  const rows = run.rows.flatMap((row) => (row.undo === null ? [] : [{ ...row, undo: row.undo }]));
  const apps = plural(rows.length, "app");
  return (
    <ConfirmDialog
      open
      size="lg"
      onOpenChange={() => endBulkStep(step)}
      title={`Revert ${apps}?`}
      confirmLabel={`Revert ${apps}`}
      {...(rows.length > maxWithoutWord && { typedWord: run.environment })}
      onConfirm={() => undo(run)}
      fields={
        <>
          <BulkTable label="State each app returns to" headers={["App", "Back to"]} count={rows.length}>
            {rows.map(({ uuid, name, undo: item }) => (
              <tr key={uuid}>
                <th scope="row" className="wrap-anywhere">
                  {name}
                </th>
                <td>{describeTarget(item)}</td>
              </tr>
            ))}
          </BulkTable>
          {progress !== null && <BulkProgress done={progress} total={rows.length} />}
        </>
      }
    >
      <p>
        Each app returns to its state before the decision, in{" "}
        {run.environment === "staging" ? "staging" : "staging and production"}. Apps that somebody has changed since
        stay as they are.
      </p>
    </ConfirmDialog>
  );
}

function BulkProgress({ done, total }: Readonly<{ done: number; total: number }>) {
  return (
    <div role="status" className="space-y-1.5 text-table">
      <p>{`${formatNumber(done)} of ${formatNumber(total)} done`}</p>
      <progress aria-label="Progress" value={done} max={total} className="h-2 w-full accent-accent" />
    </div>
  );
}

export function BulkDialogs({ step }: Readonly<{ step: BulkStep }>) {
  if (step.kind === "ask") return <BulkQuestion step={step} />;
  return step.kind === "undo" ? <BulkUndo step={step} run={step.run} /> : <BulkResult step={step} run={step.run} />;
}
