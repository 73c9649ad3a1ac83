import { cva, type VariantProps } from "class-variance-authority";
import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import { cn } from "@/app/_components/ui/cn";

const look = cva(
  "inline-flex h-5 max-w-full items-center gap-1 rounded-full border px-1.5 text-xs font-medium whitespace-nowrap [&_svg]:size-3.5 [&_svg]:shrink-0",
  {
    variants: {
      tone: {
        good: "border-good-line bg-good-soft text-good",
        warn: "border-warn-line bg-warn-soft text-warn",
        bad: "border-bad-line bg-bad-soft text-bad",
        calm: "border-calm-line bg-calm-soft text-calm",
        accent: "border-accent-line bg-accent-soft text-link",
        plain: "border-line bg-transparent text-muted",
      },
    },
    defaultVariants: { tone: "calm" },
  },
);

export type Tone = NonNullable<VariantProps<typeof look>["tone"]>;

/** Never relies on colour alone. */
export function Chip({
  tone,
  icon: Icon,
  className,
  children,
}: Readonly<{ tone?: Tone; icon?: LucideIcon; className?: string; children: ReactNode }>) {
  return (
    <span className={cn(look({ tone }), className)}>
      {Icon && <Icon aria-hidden="true" />}
      <span className="truncate">{children}</span>
    </span>
  );
}
