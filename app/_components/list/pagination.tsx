"use client";
import { ChevronLeft, ChevronRight } from "lucide-react";
import { usePathname, useRouter, useSearchParams } from "next/navigation";
import type { ReactNode } from "react";
import { buttonClass } from "@/app/_components/ui/button-class";
import { LinkButton } from "@/app/_components/ui/link-button";
import { changeAddress } from "@/app/_components/list/list-address";
import { usePreference } from "@/app/_components/hooks/use-preference";
import { pageSizes } from "@/lib/records/store/listing";
import { formatNumber } from "@/lib/vocabulary/format-number";

export function Pagination({
  first,
  count,
  total,
  previousHref,
  nextHref,
  size,
}: Readonly<{
  /** From 1. */
  first: number;
  count: number;
  /** Null if unknown. */
  total: number | null;
  previousHref: string | null;
  nextHref: string | null;
  /** Without it, there is no menu. */
  size?: number;
}>) {
  const router = useRouter();
  const pathname = usePathname();
  const query = useSearchParams();
  const [, remember] = usePreference("pageSize");
  const range = count === 0 ? "No rows" : `${formatNumber(first)}–${formatNumber(first + count - 1)}`;
  return (
    <nav aria-label="Pages" className="mt-3 flex flex-wrap items-center gap-x-4 gap-y-2 text-table text-muted">
      <p className="tabular-nums">
        <span className="text-text">{range}</span>
        {total !== null && count > 0 && ` of ${formatNumber(total)}`}
      </p>
      {size !== undefined && (total === null || total > pageSizes[0]) && (
        <label className="flex items-center gap-1.5">
          Rows
          <select
            value={String(size)}
            className="h-7 rounded-control border border-field bg-surface px-1 text-table text-text pointer-coarse:h-11"
            onChange={(event) => {
              const chosen = pageSizes.find((one) => String(one) === event.target.value);
              if (chosen === undefined) return;
              remember(`${chosen}`);
              router.push(changeAddress(pathname, query, { size: `${chosen}` }), { scroll: false });
            }}
          >
            {pageSizes.map((one) => (
              <option key={one}>{one}</option>
            ))}
          </select>
        </label>
      )}
      {(previousHref !== null || nextHref !== null) && (
        <div className="ml-auto flex gap-2">
          <PageLink href={previousHref}>
            <ChevronLeft aria-hidden="true" />
            Previous
          </PageLink>
          <PageLink href={nextHref}>
            Next
            <ChevronRight aria-hidden="true" />
          </PageLink>
        </div>
      )}
    </nav>
  );
}

function PageLink({ href, children }: Readonly<{ href: string | null; children: ReactNode }>) {
  if (href === null) {
    return (
      <span aria-disabled="true" className={buttonClass({ size: "sm" })}>
        {children}
      </span>
    );
  }
  return (
    <LinkButton href={href} size="sm">
      {children}
    </LinkButton>
  );
}
