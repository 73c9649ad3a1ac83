import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import type { ListFilter } from "@/app/_components/list/list-filters";
import type { DataColumn } from "@/app/_components/list/table/data-column";
import type { LinkTab } from "@/app/_components/ui/link-tabs";
import type { RecordKind } from "@/app/_records/kinds";
import type { RecordState } from "@/lib/content/records/listing";
import type { Environment, RecordStatus } from "@/lib/labels/vocabulary";

export interface ListedRecord {
  readonly id: number;
  readonly name: string;
  readonly status: RecordStatus;
  readonly isDeleted: boolean;
  /** Never promoted before. */
  readonly isNew: boolean;
  /** When this version was saved or promoted, ISO 8601. */
  readonly changedAt: string;
}

export interface ListedKind<Row> extends RecordKind {
  readonly description: string;
  readonly icon: LucideIcon;
  /** What the search looks for: "Search names". */
  readonly search: string;
  readonly exported: { readonly path: string; readonly csv: string; readonly json: string };
  /** Under which choices of columns are remembered. */
  readonly tableName: string;
  /** Parameter of the address that says how many records stand before the page. */
  readonly place: "after" | "cursor";
  /** The record that a row stands for; null for what is inside of one. */
  readonly record: (row: Row) => ListedRecord | null;
  readonly labelOf: (row: Row) => string;
  readonly isChosenByRow: boolean;
  /** What there is to know where there is no record at all. */
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
  readonly rows: readonly Row[];
  /** Which records the page shows, of how many that meet the filters, and how many there are without filters. */
  readonly page: {
    readonly first: number;
    readonly count: number;
    readonly total: number;
    readonly unfiltered: number;
  };
  readonly counts: Readonly<Record<RecordState, number>>;
  readonly waiting: number;
  /** Ids of all that matches the filters and waits; without it only single rows can be chosen. */
  readonly matching?: readonly number[];
  /** What else can be done with all of them in staging. */
  readonly actions?: ReactNode;
  /** Tabs of other things than records, and what stands in the place of the list while one of them is open. */
  readonly tabs?: readonly LinkTab[];
  readonly panel?: ReactNode;
  readonly renderRemoval: (row: Row, isRestore: boolean, close: () => void) => ReactNode;
}
