import type { ReactNode } from "react";
import { ViewsMenu } from "@/app/_components/list/views/views-menu";

/** The line above a list: search and filters at the left, saved views and what concerns the whole list at the right. */
export function ListToolbar({ children, end }: Readonly<{ children: ReactNode; end?: ReactNode }>) {
  return (
    <div data-toolbar="" className="mb-3 flex flex-wrap items-center gap-2">
      {children}
      <div className="ml-auto flex flex-wrap items-center gap-2">
        <ViewsMenu />
        {end}
      </div>
    </div>
  );
}
