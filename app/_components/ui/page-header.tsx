import { ChevronRight } from "lucide-react";
import Link from "next/link";
import type { ReactNode } from "react";
import { HelpLink } from "@/app/_components/ui/help-link";

/**
 * The head of a page: where it lies, its name and state, and what can be done with it. The help link stands in the same
 * place on all pages.
 */
export function PageHeader({
  title,
  crumbs = [],
  back,
  helpHref,
  state,
  description,
  actions,
}: Readonly<{
  title: ReactNode;
  /** The pages above this one, from the outermost on. */
  crumbs?: readonly { readonly label: string; readonly href: string }[];
  /** In place of them on pages of one item: `BackToList`. */
  back?: ReactNode;
  /** Public guide for this page; opens in a new tab. */
  helpHref?: string;
  /** Chips beside the title. */
  state?: ReactNode;
  description?: ReactNode;
  actions?: ReactNode;
}>) {
  return (
    <header className="mb-4 flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
      {back && <div className="-mb-2 w-full">{back}</div>}
      <div className="min-w-0">
        {crumbs.length > 0 && (
          <nav aria-label="Breadcrumbs" className="mb-1">
            <ol className="flex flex-wrap items-center gap-1 text-table text-muted">
              {crumbs.map(({ label, href }) => (
                <li key={href} className="flex items-center gap-1">
                  <Link href={href} className="text-muted no-underline hover:text-text hover:underline">
                    {label}
                  </Link>
                  <ChevronRight aria-hidden="true" className="size-3.5" />
                </li>
              ))}
            </ol>
          </nav>
        )}
        <div className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
          <h1 className="text-xl leading-7 font-semibold tracking-tight">{title}</h1>
          {state}
          {helpHref !== undefined && <HelpLink href={helpHref} />}
        </div>
        {description && <p className="mt-1 max-w-prose text-muted">{description}</p>}
      </div>
      {actions && <div className="flex flex-wrap items-center gap-2">{actions}</div>}
    </header>
  );
}
