import type { ReactNode } from "react";
import type { MenuEntry } from "@/app/_components/overlay/menu-popup";

export interface DataColumn<Row> {
  readonly id: string;
  readonly header: string;
  readonly cell: (row: Row) => ReactNode;
  /** In the primary column: content before the row's link. */
  readonly before?: (row: Row) => ReactNode;
  /** Without it, the column cannot be sorted. */
  readonly sortKey?: string;
  /** For times and counts. */
  readonly sortsDownFirst?: boolean;
  /** Contains the row's link, comes first in cards, and cannot be hidden. */
  readonly isPrimary?: boolean;
  /** Hidden until the reader selects it. */
  readonly isOptional?: boolean;
  /** 1024 or 1280 px, unless the reader selects it; cards show it. */
  readonly hiddenBelow?: "lg" | "xl";
  readonly align?: "end";
  /** "w-32", "max-w-80" */
  readonly className?: string;
}

export interface RowFacts<Row> {
  readonly rowLabel: (row: Row) => string;
  readonly rowHref?: (row: Row) => string;
  readonly rowActions?: (row: Row) => readonly MenuEntry[];
  /** Rows that are about to disappear; a chip says why. */
  readonly isDimmed?: (row: Row) => boolean;
}
