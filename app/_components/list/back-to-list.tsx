"use client";
import { ChevronRight } from "lucide-react";
import { Link } from "@/app/_components/ui/link";
import { useSeenList } from "@/app/_components/list/list-memory";

export function BackToList({
  section,
  label,
  plainHref = section,
}: Readonly<{
  section: string;
  label: string;
  /** Used if this tab has not seen the list. */
  plainHref?: string;
}>) {
  const seen = useSeenList(section);
  return (
    <nav aria-label="Breadcrumbs" className="flex min-h-7 items-center">
      <ol className="flex items-center gap-1 text-table text-muted">
        <li>
          <Link href={seen ?? plainHref} className="text-muted no-underline hover:text-text hover:underline">
            {label}
          </Link>
        </li>
        <li>
          <ChevronRight aria-hidden="true" className="size-3.5" />
        </li>
      </ol>
    </nav>
  );
}
