import { usePathname, useSearchParams } from "next/navigation";
import type { ReactNode } from "react";
import { type FilterChoice, FilterMenu } from "@/app/_components/list/filter-menu";
import { changeAddress } from "@/app/_components/list/list-address";
import { SearchBox } from "@/app/_components/list/search-box";
import { X } from "lucide-react";
import { Link } from "@/app/_components/ui/link";

interface ActiveFilter {
  readonly label: string;
  readonly value: string;
  readonly href: string;
}

export interface ListFilter {
  readonly label: string;
  readonly parameter: string;
  readonly choices?: readonly FilterChoice[];
  /** Otherwise links or other controls set the filter. */
  readonly hasMenu?: boolean;
  readonly anyLabel?: string;
  /** Changes how rows look, and filters nothing. */
  readonly isView?: boolean;
}

export type ListQuery = object;

const searchFilter: ListFilter = { label: "Search", parameter: "q" };

export function useActiveFilters(filters: readonly ListFilter[], query: ListQuery) {
  const pathname = usePathname();
  const address = useSearchParams();
  const values = new Map<string, unknown>(Object.entries(query));
  const narrowing = [searchFilter, ...filters.filter(({ isView = false }) => !isView)];
  const active = narrowing.flatMap(({ label, parameter, choices = [] }): ActiveFilter[] => {
    const value = values.get(parameter);
    if ((typeof value !== "string" && typeof value !== "number") || value === "") return [];
    const words = choices.find((choice) => choice.value === String(value));
    const href = changeAddress(pathname, address, { [parameter]: null });
    return [{ label, value: words?.short ?? words?.label ?? String(value), href }];
  });
  const none = Object.fromEntries(narrowing.map(({ parameter }) => [parameter, null]));
  return { active, clearHref: changeAddress(pathname, address, none) };
}

export function ListFilters({
  search,
  searchHint,
  filters,
  query,
  isFolded = false,
  more,
  end,
}: Readonly<{
  /** What the search covers. */
  search: string;
  searchHint?: string;
  filters: readonly ListFilter[];
  query: ListQuery;
  /** On phones, `more` has all filters. */
  isFolded?: boolean;
  more?: ReactNode;
  end?: ReactNode;
}>) {
  const { active, clearHref } = useActiveFilters(filters, query);
  return (
    <>
      <div className="mb-3 flex flex-wrap items-center gap-2 print:hidden">
        <SearchBox label={search} {...(searchHint !== undefined && { placeholder: searchHint })} />
        {filters.map(({ choices, hasMenu = true, isView = false, ...filter }) =>
          choices === undefined || !hasMenu ? null : (
            <FilterMenu
              key={filter.parameter}
              {...filter}
              choices={choices}
              hasChip={!isView}
              {...(isFolded && { className: "max-sm:hidden" })}
            />
          ),
        )}
        {more}
        <div className="ml-auto flex flex-wrap items-center gap-2">{end}</div>
      </div>
      <FilterChips filters={active} clearHref={clearHref} />
    </>
  );
}

function FilterChips({ filters, clearHref }: Readonly<{ filters: readonly ActiveFilter[]; clearHref: string }>) {
  if (filters.length === 0) return null;
  return (
    <ul aria-label="Filters" className="mb-3 flex flex-wrap items-center gap-1.5">
      {filters.map(({ label, value, href }) => (
        <li key={`${label}:${value}`}>
          <Link
            href={href}
            scroll={false}
            aria-label={`Remove filter ${label}: ${value}`}
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
