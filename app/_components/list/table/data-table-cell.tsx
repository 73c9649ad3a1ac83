import { Link } from "@/app/_components/ui/link";
import type { ReactNode } from "react";
import type { DataColumn } from "@/app/_components/list/table/data-column";

/** What a cell of a row shows: in the primary column the link of the row, in cards the name of the column as well. */
export function DataTableCell<Row>({
  column,
  href,
  before,
  children,
}: Readonly<{ column: DataColumn<Row>; href: string | undefined; before: ReactNode; children: ReactNode }>) {
  if (column.isPrimary !== true) {
    return (
      <>
        {/* In cards the name of the column stands before its value; in tables the head says it. */}
        <span className="mr-2 shrink-0 text-muted md:hidden" aria-hidden="true">
          {column.header}
        </span>
        <div className="min-w-0 md:contents">{children}</div>
      </>
    );
  }
  if (before !== undefined) {
    return (
      <div className="flex min-w-0 items-center">
        {before}
        <Named href={href}>{children}</Named>
      </div>
    );
  }
  return <Named href={href}>{children}</Named>;
}

function Named({ href, children }: Readonly<{ href: string | undefined; children: ReactNode }>) {
  if (href === undefined) return <span className="block min-w-0 font-medium">{children}</span>;
  return (
    <Link
      href={href}
      data-row-link=""
      // 24 px high also where the name is one line: the head of the table stays in view and may come close.
      className="-my-0.5 block min-w-0 rounded-control py-0.5 font-medium text-inherit no-underline after:absolute after:inset-0 hover:underline"
    >
      {children}
    </Link>
  );
}
