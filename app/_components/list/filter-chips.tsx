import { X } from "lucide-react";
import { Link } from "@/app/_components/ui/link";

export interface ActiveFilter {
  readonly label: string;
  readonly value: string;
  /** The list without this filter. */
  readonly href: string;
}

/** The filters that are on, each with a way to take it off. */
export function FilterChips({ filters, clearHref }: Readonly<{ filters: readonly ActiveFilter[]; clearHref: string }>) {
  if (filters.length === 0) return null;
  return (
    <ul aria-label="Filters" className="mb-3 flex flex-wrap items-center gap-1.5">
      {filters.map(({ label, value, href }) => (
        <li key={`${label}:${value}`}>
          <Link
            href={href}
            scroll={false}
            aria-label={`Remove the filter ${label}: ${value}`}
            className="relative flex h-6 max-w-80 items-center gap-1 rounded-full border border-accent-line bg-accent-soft pr-1 pl-2 text-xs text-text no-underline after:absolute after:-inset-x-1 after:-inset-y-0 hover:bg-active pointer-coarse:h-8 pointer-coarse:after:-inset-y-1.5"
          >
            <span className="text-muted">{`${label}: `}</span>
            <span className="truncate font-medium">{value}</span>
            <X aria-hidden="true" className="size-3.5 text-muted" />
          </Link>
        </li>
      ))}
      <li>
        <Link href={clearHref} scroll={false} className="px-1.5 text-xs font-medium">
          Clear filters
        </Link>
      </li>
    </ul>
  );
}
