import { Link } from "@/app/_components/ui/link";
import type { ReactNode } from "react";
import { cn } from "@/app/_components/ui/cn";
import { formatNumber } from "@/lib/vocabulary/format-number";

export interface LinkTab {
  readonly label: ReactNode;
  readonly href: string;
  readonly isCurrent: boolean;
  readonly count?: number | null;
}

/** Links, not tabs: they open in new tabs and work before hydration. */
export function LinkTabs({
  label,
  tabs,
  isSamePage = false,
}: Readonly<{
  label: string;
  tabs: readonly LinkTab[];
  /** The page contains all views: only the address changes, without a request. */
  isSamePage?: boolean;
}>) {
  return (
    <nav aria-label={label} className="mb-4 border-b border-line">
      <ul className="-mb-px flex flex-wrap gap-x-1">
        {tabs.map(({ label: name, href, isCurrent, count }) => (
          <li key={href}>
            <Link
              href={href}
              {...(isSamePage && {
                scroll: false,
                onNavigate: (event: { readonly preventDefault: () => void }) => {
                  event.preventDefault();
                  window.history.pushState(null, "", href);
                },
              })}
              aria-current={isCurrent ? "page" : undefined}
              className={cn(
                "flex h-9 items-center gap-1.5 border-b-2 px-2.5 text-table font-medium whitespace-nowrap no-underline -outline-offset-2 pointer-coarse:h-11",
                isCurrent ? "border-accent text-text" : "border-transparent text-muted hover:text-text",
              )}
            >
              {name}
              {typeof count === "number" && (
                <span className="rounded-full bg-active px-1.5 text-2xs leading-4 font-semibold text-text tabular-nums">
                  {formatNumber(count)}
                </span>
              )}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
