"use client";
import { ChevronLeft, ChevronRight } from "lucide-react";
import Link from "next/link";
import { buttonClass } from "@/app/_components/button-class";
import { useNavigate } from "@/app/_components/use-navigate";
import { useSeenList } from "./list-memory";
import { useSingleKeys } from "./use-single-keys";

/** The way back to the list as it was left, and on to its neighbours (keys `[` and `]`). */
export function BackToList({ id }: Readonly<{ id: number }>) {
  const { path, ids } = useSeenList();
  const at = ids.indexOf(id);
  const previous = at > 0 ? ids[at - 1] : undefined;
  const next = at >= 0 ? ids[at + 1] : undefined;
  const navigate = useNavigate();
  const leadTo = (neighbour: number | undefined) =>
    neighbour === undefined
      ? undefined
      : () => {
          navigate(`/applications/${neighbour}`);
        };
  useSingleKeys({ "[": leadTo(previous), "]": leadTo(next) });
  return (
    <div className="flex min-h-7 items-center justify-between gap-4">
      <nav aria-label="Breadcrumbs">
        <ol className="flex items-center gap-1 text-table text-muted">
          <li>
            <Link href={path} className="text-muted no-underline hover:text-text hover:underline">
              Applications
            </Link>
          </li>
          <li>
            <ChevronRight aria-hidden="true" className="size-3.5" />
          </li>
        </ol>
      </nav>
      {at >= 0 && (
        <nav aria-label="Neighbours in the list" className="flex items-center gap-1 text-table text-muted">
          <span className="mr-1 tabular-nums">
            {at + 1} of {ids.length}
          </span>
          <Neighbour id={previous} label="Previous app in the list" icon={ChevronLeft} />
          <Neighbour id={next} label="Next app in the list" icon={ChevronRight} />
        </nav>
      )}
    </div>
  );
}

function Neighbour({
  id,
  label,
  icon: Icon,
}: Readonly<{ id: number | undefined; label: string; icon: typeof ChevronLeft }>) {
  const className = buttonClass({ variant: "ghost", size: "icon-sm" });
  if (id === undefined) {
    return (
      <span aria-hidden="true" className={`${className} opacity-30`}>
        <Icon />
      </span>
    );
  }
  return (
    <Link href={`/applications/${id}`} aria-label={label} title={label} className={className}>
      <Icon aria-hidden="true" />
    </Link>
  );
}
