"use client";
import { ChevronLeft } from "lucide-react";
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
      <ol className="text-table text-muted">
        <li>
          <Link
            href={seen ?? plainHref}
            className="-ml-1 inline-flex items-center gap-1 text-muted no-underline hover:text-text hover:underline"
          >
            <ChevronLeft aria-hidden="true" className="size-3.5" />
            {label}
          </Link>
        </li>
      </ol>
    </nav>
  );
}
