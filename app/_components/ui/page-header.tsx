import type { ReactNode } from "react";
import { HelpLink } from "@/app/_components/ui/help-link";

/** The help link is in the same place on all pages. */
export function PageHeader({
  title,
  back,
  helpHref,
  state,
  description,
  actions,
}: Readonly<{
  title: ReactNode;
  back?: ReactNode;
  helpHref?: string;
  state?: ReactNode;
  description?: ReactNode;
  actions?: ReactNode;
}>) {
  return (
    <header className="mb-4 flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
      {back && <div className="-mb-2 w-full">{back}</div>}
      <div className="min-w-0">
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
