import type { ReactNode } from "react";
import { cn } from "@/app/_components/ui/cn";

const more = { sign: "+", className: "border-good-line bg-good-soft text-good" };
const less = { sign: "−", className: "border-bad-line bg-bad-soft text-bad" };

/** With words beside them, because colour alone tells nobody. */
export const changeSigns = {
  ...{ added: more, gained: more, removed: less, lost: less },
  changed: { sign: "~", className: "border-warn-line bg-warn-soft text-warn" },
} as const;

export function ChangeSign({
  kind,
  className,
  children = changeSigns[kind].sign,
}: Readonly<{ kind: keyof typeof changeSigns; className?: string; children?: ReactNode }>) {
  return (
    <span
      aria-hidden="true"
      className={cn(
        "mt-0.5 grid size-4 shrink-0 place-items-center rounded-xs font-mono text-xs font-semibold",
        changeSigns[kind].className,
        className,
      )}
    >
      {children}
    </span>
  );
}
