import { TriangleAlert } from "lucide-react";
import { ApprovalChip } from "@/app/_components/ui/status-chip";
import type { BulkAppJson } from "@/lib/apps/applications/bulk/answer-schema";
import { distinct } from "@/lib/labels/order";
import { BulkTable } from "./bulk-table";

/** What a decision does to each app. */
export function BulkAppTable({ apps }: Readonly<{ apps: readonly BulkAppJson[] }>) {
  return (
    <BulkTable label="Effect on each app" headers={["App", "Effect"]} count={apps.length}>
      {apps.map(({ uuid, name, version, state, effect, findings, notes }) => (
        <tr key={uuid}>
          <th scope="row">
            <span className="block wrap-anywhere">{name}</span>
            <span className="flex flex-wrap items-center gap-1.5 text-xs font-normal text-muted">
              {version}
              {state === "BLOCKED" ? <ApprovalChip status="LIMITED" isBlocked /> : <ApprovalChip status={state} />}
            </span>
          </th>
          <td>
            {effect.map((sentence) => (
              <p key={sentence}>{sentence}</p>
            ))}
            {notes.map((note) => (
              <p key={note} className="wrap-anywhere text-warn">
                {note}
              </p>
            ))}
            {distinct(findings.map(({ message }) => message)).map((message) => (
              <p key={message} className="flex gap-1.5 text-bad">
                <TriangleAlert aria-hidden="true" className="mt-0.5 size-3.5 shrink-0" />
                Head units would refuse it: {message}
              </p>
            ))}
          </td>
        </tr>
      ))}
    </BulkTable>
  );
}
