import { CircleAlert, CircleCheck, Info, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { cn } from "@/app/_components/ui/cn";

const looks = {
  info: { icon: Info, className: "border-calm-line bg-calm-soft [&>svg]:text-calm" },
  good: { icon: CircleCheck, className: "border-good-line bg-good-soft [&>svg]:text-good" },
  warn: { icon: TriangleAlert, className: "border-warn-line bg-warn-soft [&>svg]:text-warn" },
  bad: { icon: CircleAlert, className: "border-bad-line bg-bad-soft [&>svg]:text-bad" },
} as const;

/** For a recent failure use `Problem`, which screen readers announce. */
export function Notice({
  tone = "warn",
  title,
  action,
  children,
  className,
}: Readonly<{
  tone?: keyof typeof looks;
  title?: ReactNode;
  action?: ReactNode;
  children?: ReactNode;
  className?: string;
}>) {
  const { icon: Icon, className: look } = looks[tone];
  return (
    <div role="note" className={cn("flex gap-2.5 rounded-card border px-3 py-2.5 text-table", look, className)}>
      <Icon aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
      <div className="min-w-0 grow space-y-0.5">
        {title && <p className="font-semibold">{title}</p>}
        {children && <div>{children}</div>}
      </div>
      {action && <div className="shrink-0 self-center">{action}</div>}
    </div>
  );
}
