import type { ReactNode } from "react";

/** A table of apps in a dialog; scrolls for itself. Nothing without rows. */
export function BulkTable({
  label,
  headers,
  count,
  children,
}: Readonly<{ label: string; headers: readonly string[]; count: number; children: ReactNode }>) {
  if (count === 0) return null;
  return (
    <div
      role="region"
      aria-label={label}
      tabIndex={0}
      className="max-h-72 overflow-y-auto rounded-card border border-line"
    >
      <table className="w-full text-left text-table [&_td]:px-3 [&_td]:py-2 [&_td]:align-top [&_th]:px-3 [&_th]:py-2 [&_th]:align-top [&_th]:font-medium [&_tr+tr]:border-t [&_tr+tr]:border-line">
        <thead className="sticky top-0 bg-raised text-muted shadow-[inset_0_-1px_var(--color-line)]">
          <tr>
            {headers.map((header) => (
              <th key={header} scope="col">
                {header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}
