import type { ReactNode } from "react";
import { PlainTable } from "@/app/_components/list/table/plain-table";

export function StepTable({
  label,
  titles,
  children,
}: Readonly<{ label: string; titles: readonly string[]; children: ReactNode }>) {
  return (
    <div
      role="region"
      aria-label={`Table: ${label}`}
      tabIndex={0}
      className="max-h-72 overflow-y-auto rounded-control border border-line -outline-offset-2"
    >
      <PlainTable titles={titles}>{children}</PlainTable>
    </div>
  );
}
