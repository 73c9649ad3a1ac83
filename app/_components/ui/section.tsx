import { useId, type ReactNode } from "react";
import { cn } from "@/app/_components/ui/cn";

export function Section({
  title,
  description,
  actions,
  id,
  level = 2,
  flush = false,
  keepsActions = false,
  className,
  children,
}: Readonly<{
  title: ReactNode;
  description?: ReactNode;
  actions?: ReactNode;
  id?: string;
  /** 3 within a part of the page that has a heading of its own. */
  level?: 2 | 3;
  /** The content extends to the edges of the card: tables, lists of facts. */
  flush?: boolean;
  /** Small actions stay beside a long description. */
  keepsActions?: boolean;
  className?: string;
  children: ReactNode;
}>) {
  const titleId = useId();
  const Heading = `h${level}` as const;
  return (
    <section id={id} aria-labelledby={titleId} className={cn("rounded-card border border-line bg-surface", className)}>
      <header
        className={cn("flex items-start justify-between gap-x-4 gap-y-2 px-4 pt-3 pb-2", !keepsActions && "flex-wrap")}
      >
        <div className="min-w-0">
          <Heading id={titleId} className="text-sm leading-6 font-semibold">
            {title}
          </Heading>
          {description && <p className="max-w-prose text-pretty text-table text-muted">{description}</p>}
        </div>
        {actions && (
          <div className={cn("flex items-center gap-2", keepsActions ? "shrink-0" : "flex-wrap")}>{actions}</div>
        )}
      </header>
      <div className={flush ? "border-t border-line" : "px-4 pt-1 pb-4"}>{children}</div>
    </section>
  );
}
