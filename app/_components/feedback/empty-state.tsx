import { Inbox, type LucideIcon } from "lucide-react";
import type { ReactNode } from "react";

export function EmptyState({
  icon: Icon = Inbox,
  title,
  children,
  action,
}: Readonly<{ icon?: LucideIcon; title: string; children?: ReactNode; action?: ReactNode }>) {
  return (
    <div className="flex flex-col items-center gap-3 rounded-card border border-dashed border-edge px-6 py-12 text-center">
      <span className="grid size-10 place-items-center rounded-full bg-hover text-muted">
        <Icon aria-hidden="true" className="size-5" />
      </span>
      <div className="max-w-md space-y-1">
        <p className="font-semibold">{title}</p>
        {children && <div className="text-muted">{children}</div>}
      </div>
      {action}
    </div>
  );
}
