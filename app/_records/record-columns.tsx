import type { ReactNode } from "react";
import type { DataColumn } from "@/app/_components/list/table/data-column";
import { RecordChip } from "@/app/_components/ui/status-chip";
import { TimeAgo } from "@/app/_components/ui/time-ago";
import type { ListedRecord } from "@/lib/records/store/listing";

/** `other`: the content for a row that is no record of its own. */
export function recordColumns<Row>(
  record: (row: Row) => ListedRecord | null,
  other: (row: Row) => ReactNode = () => null,
): DataColumn<Row>[] {
  return [
    {
      id: "state",
      header: "State",
      className: "whitespace-nowrap",
      cell: (row) => {
        const one = record(row);
        return one === null ? other(row) : <RecordChip {...one} />;
      },
    },
    {
      id: "changed",
      header: "Changed",
      hiddenBelow: "xl",
      sortKey: "changed",
      sortsDownFirst: true,
      className: "whitespace-nowrap text-muted",
      cell: (row) => {
        const one = record(row);
        return one && <TimeAgo at={one.changedAt} className="relative z-1" />;
      },
    },
  ];
}
