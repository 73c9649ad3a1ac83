import { CircleAlert, CircleCheck, CircleMinus, Clock } from "lucide-react";
import { Link } from "@/app/_components/ui/link";
import { useRouter } from "next/navigation";
import { showDone } from "@/app/_components/feedback/show-toast";
import { Dialog, DialogClose } from "@/app/_components/overlay/dialog";
import { Button } from "@/app/_components/ui/button";
import type { BulkResultJson } from "@/lib/apps/applications/bulk/answer-schema";
import { formatNumber } from "@/lib/vocabulary/format-number";
import { type BulkRow, type BulkRun, type BulkStep, endBulkStep, setBulkStep } from "./bulk-store";
import { bulkLabels, describeDone } from "./bulk-labels";
import type { ReactNode } from "react";

const outcomes = {
  failed: { icon: CircleAlert, tone: "text-bad", word: "Failed" },
  asked: { icon: Clock, tone: "text-warn", word: "Waits for approval" },
  excluded: { icon: CircleMinus, tone: "text-calm", word: "Left out" },
  done: { icon: CircleCheck, tone: "text-good", word: "Done" },
} as const satisfies Record<BulkResultJson["outcome"], object>;

export function BulkResult({ step, run }: Readonly<{ step: BulkStep; run: BulkRun }>) {
  const router = useRouter();
  const { decision, reason, rows, isUndo } = run;
  const of = (outcome: BulkRow["outcome"]) => rows.filter((row) => row.outcome === outcome);
  const [done, failed] = [of("done"), of("failed")];
  const sentence = describeDone(done.length, isUndo ? "as before" : bulkLabels[decision].became);
  const takenBack = !isUndo && done.some(({ undo }) => undo !== null);

  function undoAll() {
    setBulkStep({ kind: "undo", run });
    // The toast stays when the reader goes to another page.
    if (window.location.pathname !== "/applications") router.push("/applications");
  }
  function close() {
    endBulkStep(step);
    if (done.length > 0) showDone(sentence, takenBack ? { label: "Undo all…", onClick: undoAll } : undefined);
  }
  function retry() {
    const uuids = failed.map(({ uuid }) => uuid);
    if (isUndo) setBulkStep({ kind: "undo", run: { ...run, rows: failed } });
    else setBulkStep({ kind: "ask", decision, choice: { uuids }, reason, onSent: () => undefined });
  }

  return (
    <Dialog
      open
      size="lg"
      onOpenChange={close}
      title={failed.length === 0 ? sentence : `${formatNumber(failed.length)} of ${formatNumber(rows.length)} failed`}
      description={failed.length === 0 ? undefined : `${sentence}.`}
      footer={
        <>
          {takenBack && (
            <Button needsServer needs="edit" onClick={undoAll}>
              Undo all…
            </Button>
          )}
          {failed.length > 0 && (
            <Button needsServer onClick={retry}>
              {`Retry ${formatNumber(failed.length)} failed…`}
            </Button>
          )}
          <DialogClose render={<Button variant="primary">Close</Button>} />
        </>
      }
    >
      <BulkTable label="Result for each app" headers={["App", "Result"]} count={rows.length}>
        {rows.map(({ id, uuid, name, outcome, message }) => {
          const { icon: Icon, tone, word } = outcomes[outcome];
          return (
            <tr key={uuid}>
              <th scope="row" className="wrap-anywhere">
                {id === null ? (
                  name
                ) : (
                  <Link href={`/applications/${id}`} onClick={close}>
                    {name}
                  </Link>
                )}
              </th>
              <td>
                <span className="flex items-center gap-1.5">
                  <Icon aria-hidden="true" className={`size-4 shrink-0 ${tone}`} />
                  {word}
                </span>
                {message !== null && <span className="text-muted">{message}</span>}
              </td>
            </tr>
          );
        })}
      </BulkTable>
    </Dialog>
  );
}

export function BulkTable({
  label,
  headers,
  count,
  children,
}: Readonly<{ label: string; headers: readonly string[]; count: number; children: ReactNode }>) {
  if (count === 0) return null;
  return (
    <div
      role="region"
      aria-label={label}
      tabIndex={0}
      className="max-h-72 overflow-y-auto rounded-card border border-line"
    >
      <table className="w-full text-left text-table [&_td]:px-3 [&_td]:py-2 [&_td]:align-top [&_th]:px-3 [&_th]:py-2 [&_th]:align-top [&_th]:font-medium [&_tr+tr]:border-t [&_tr+tr]:border-line">
        <thead className="sticky top-0 bg-raised text-muted shadow-[inset_0_-1px_var(--color-line)]">
          <tr>
            {headers.map((header) => (
              <th key={header} scope="col">
                {header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}
