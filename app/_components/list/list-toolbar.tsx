import type { ReactNode } from "react";

/** The line above a list: search and filters at the left, what concerns the whole list at the right. */
export function ListToolbar({ children, end }: Readonly<{ children: ReactNode; end?: ReactNode }>) {
  return (
    <div className="mb-3 flex flex-wrap items-center gap-2">
      {children}
      {end && <div className="ml-auto flex flex-wrap items-center gap-2">{end}</div>}
    </div>
  );
}
