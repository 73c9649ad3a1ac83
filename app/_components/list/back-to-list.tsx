"use client";
import { ChevronLeft, ChevronRight } from "lucide-react";
import { Link } from "@/app/_components/ui/link";
import { buttonClass } from "@/app/_components/ui/button-class";
import { noteReturn, useSeenList } from "@/app/_components/list/list-memory";
import { useNavigate } from "@/app/_components/hooks/use-navigate";
import { useSingleKeys } from "@/app/_components/hooks/use-single-keys";
import { formatNumber } from "@/lib/labels/format-number";

/** Links back to the list as it was left, and to the neighbours of an item there (keys `[` and `]`). */
export function BackToList({
  section,
  label,
  word = "item",
  itemKey,
  plainHref = section,
}: Readonly<{
  /** Path of the list. */
  section: string;
  label: string;
  /** The noun for its items: "app". */
  word?: string;
  /** Key of the item in view, as the list remembers it; null: it is not in a list yet. */
  itemKey: string | null;
  /** The link to the list if this tab has not seen it. */
  plainHref?: string;
}>) {
  const { path, items } = useSeenList(section);
  const at = items.findIndex(({ key }) => key === itemKey);
  const previous = at > 0 ? items[at - 1] : undefined;
  const next = at >= 0 ? items[at + 1] : undefined;
  const navigate = useNavigate();
  useSingleKeys({
    "[": previous && (() => navigate(previous.path)),
    "]": next && (() => navigate(next.path)),
  });
  return (
    <div className="flex min-h-7 w-full items-center justify-between gap-4">
      <nav aria-label="Breadcrumbs">
        <ol className="flex items-center gap-1 text-table text-muted">
          <li>
            <Link
              href={path ?? plainHref}
              // The list itself restores its scroll position.
              scroll={path === null}
              onClick={() => noteReturn(section)}
              className="text-muted no-underline hover:text-text hover:underline"
            >
              {label}
            </Link>
          </li>
          <li>
            <ChevronRight aria-hidden="true" className="size-3.5" />
          </li>
        </ol>
      </nav>
      {at >= 0 && (
        <nav aria-label="List navigation" className="flex items-center gap-1 text-table text-muted">
          <span className="mr-1 tabular-nums">
            {formatNumber(at + 1)} of {formatNumber(items.length)}
          </span>
          <Neighbour path={previous?.path} label={`Previous ${word} in the list`} icon={ChevronLeft} />
          <Neighbour path={next?.path} label={`Next ${word} in the list`} icon={ChevronRight} />
        </nav>
      )}
    </div>
  );
}

function Neighbour({
  path,
  label,
  icon: Icon,
}: Readonly<{ path: string | undefined; label: string; icon: typeof ChevronLeft }>) {
  const className = buttonClass({ variant: "ghost", size: "icon-sm" });
  if (path === undefined) {
    return (
      <span aria-hidden="true" className={`${className} opacity-30`}>
        <Icon />
      </span>
    );
  }
  return (
    <Link href={path} aria-label={label} title={label} className={className}>
      <Icon aria-hidden="true" />
    </Link>
  );
}
