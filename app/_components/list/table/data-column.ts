import type { ReactNode } from "react";
import type { MenuEntry } from "@/app/_components/overlay/menu-popup";

export interface DataColumn<Row> {
  readonly id: string;
  readonly header: string;
  readonly cell: (row: Row) => ReactNode;
  /** In the primary column: content before the row's link, such as a button or indent. */
  readonly before?: (row: Row) => ReactNode;
  /** The sort key in the address; without it, the column cannot be sorted. */
  readonly sortKey?: string;
  /** Whether the first click sorts in descending order: times, counts. */
  readonly sortsDownFirst?: boolean;
  /** Names the row: contains its link, comes first in cards, and cannot be hidden. */
  readonly isPrimary?: boolean;
  /** Hidden until the reader selects it. */
  readonly isOptional?: boolean;
  /** Hidden on screens narrower than this (1024 or 1280 px) unless the reader selects it; cards show it. */
  readonly hiddenBelow?: "lg" | "xl";
  /** Aligns numbers to the right. */
  readonly align?: "end";
  /** Classes for head and cells: "w-32", "max-w-80". */
  readonly className?: string;
}

export interface RowFacts<Row> {
  /** The name of a row, for its checkbox and menu. */
  readonly rowLabel: (row: Row) => string;
  readonly rowHref?: (row: Row) => string;
  readonly rowActions?: (row: Row) => readonly MenuEntry[];
  /** Dims rows that are about to disappear; a chip says why. */
  readonly isDimmed?: (row: Row) => boolean;
}
