import type { ReactNode } from "react";

export function PlainTable({
  titles,
  looks = {},
  hasActs = false,
  children,
}: Readonly<{
  titles: readonly string[];
  looks?: Readonly<Record<string, string>>;
  hasActs?: boolean;
  children: ReactNode;
}>) {
  return (
    <div className="overflow-x-auto">
      <table className="w-full text-left text-table">
        <thead>
          <tr className="border-b border-line text-muted">
            {titles.map((title) => (
              <th key={title} scope="col" className={`px-4 py-2 font-medium ${looks[title] ?? ""}`}>
                {title}
              </th>
            ))}
            {hasActs && (
              <th scope="col" className="px-4 py-2">
                <span className="sr-only">Act</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody className="divide-y divide-line">{children}</tbody>
      </table>
    </div>
  );
}
