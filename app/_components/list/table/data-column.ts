import type { ReactNode } from "react";
import type { MenuEntry } from "@/app/_components/overlay/menu-popup";

/** A column of a `DataTable`. */
export interface DataColumn<Row> {
  readonly id: string;
  readonly header: string;
  readonly cell: (row: Row) => ReactNode;
  /** In the primary column, what stands before the link of the row and is no part of it: a button, an indent. */
  readonly before?: (row: Row) => ReactNode;
  /** What the column sorts by, as the address says it; without it the list cannot be sorted by this column. */
  readonly sortKey?: string;
  /** Whether the first click sorts downwards: times, counts. */
  readonly sortsDownFirst?: boolean;
  /** Names the row: holds its link, stands first in cards, and cannot be hidden. */
  readonly isPrimary?: boolean;
  /** Hidden until the reader chooses it. */
  readonly isOptional?: boolean;
  /** Gives way on screens narrower than this (1024 or 1280 px) unless the reader chooses it; cards show it. */
  readonly hiddenBelow?: "lg" | "xl";
  /** Numbers stand at the end. */
  readonly align?: "end";
  /** Width and the like, for head and cells: "w-32", "max-w-80". */
  readonly className?: string;
}

export interface RowFacts<Row> {
  /** Names a row, for its checkbox and menu. */
  readonly rowLabel: (row: Row) => string;
  readonly rowHref?: (row: Row) => string;
  readonly rowActions?: (row: Row) => readonly MenuEntry[];
  /** Rows that are on their way out are dimmed; a chip says why. */
  readonly isDimmed?: (row: Row) => boolean;
}
