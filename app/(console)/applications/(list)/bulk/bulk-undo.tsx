import { ConfirmDialog } from "@/app/_components/overlay/confirm-dialog";
import { plural } from "@/lib/labels/format-number";
import { BulkProgress } from "./bulk-progress";
import { type BulkRun, type BulkStep, endBulkStep } from "./bulk-store";
import { BulkTable } from "./bulk-table";
import { describeTarget, maxWithoutWord } from "./bulk-labels";
import { useBulkRun } from "./use-bulk-run";

/** Asks before a decision about many apps is taken back. */
export function BulkUndo({ step, run }: Readonly<{ step: BulkStep; run: BulkRun }>) {
  const { progress, undo } = useBulkRun();
  const rows = run.rows.flatMap((row) => (row.undo === null ? [] : [{ ...row, undo: row.undo }]));
  const apps = plural(rows.length, "app");
  return (
    <ConfirmDialog
      open
      size="lg"
      onOpenChange={(isOpen) => {
        if (!isOpen) endBulkStep(step);
      }}
      title={`Revert ${apps}?`}
      confirmLabel={`Revert ${apps}`}
      {...(rows.length > maxWithoutWord && { typedWord: "production" })}
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
        Each app returns to its state before the decision, in staging and production. Apps that somebody has changed
        since stay as they are.
      </p>
    </ConfirmDialog>
  );
}
