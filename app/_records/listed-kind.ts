import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import type { ListFilter } from "@/app/_components/list/list-filters";
import type { DataColumn } from "@/app/_components/list/table/data-column";
import type { LinkTab } from "@/app/_components/ui/link-tabs";
import type { RecordKind } from "@/app/_records/kinds";
import type { ListedRecord, RecordList, RecordState } from "@/lib/records/store/listing";
import type { Environment } from "@/lib/vocabulary/terms";

export interface ListedKind<Row> extends RecordKind {
  readonly description: string;
  readonly icon: LucideIcon;
  readonly search: string;
  readonly exported: { readonly path: string; readonly csv: string; readonly json: string };
  /** The parameter with the number of records before the page. */
  readonly place: "after" | "cursor";
  /** Null for a row inside a record. */
  readonly record: (row: Row) => ListedRecord | null;
  readonly labelOf: (row: Row) => string;
  readonly isChosenByRow: boolean;
  /** Shown if there is no record at all. */
  readonly nothing: Readonly<Record<Environment, { readonly title: string; readonly text: ReactNode }>>;
}

export interface RecordListProps<Row extends { readonly id: number }> {
  readonly kind: ListedKind<Row>;
  readonly query: {
    readonly environment: Environment;
    readonly state?: RecordState | undefined;
    readonly sort: string;
    readonly size: number;
  };
  readonly columns: readonly DataColumn<Row>[];
  readonly filters: readonly ListFilter[];
  readonly list: RecordList<Row>;
  /** Pending records that match the filters; without it, only single rows can be selected. */
  readonly matching?: readonly number[];
  readonly actions?: ReactNode;
  /** Tabs that replace the list. */
  readonly tabs?: readonly LinkTab[];
  readonly panel?: ReactNode;
  readonly renderRemoval: (row: Row, isRestore: boolean, close: () => void) => ReactNode;
}
