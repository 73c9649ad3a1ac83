import { ChevronRight, CircleDashed, TriangleAlert } from "lucide-react";
import type { RpcRule } from "@/app/(console)/functionalgroups/group-form";
import { fillGap, hasGap } from "@/app/(console)/functionalgroups/levels";
import { Chip } from "@/app/_components/ui/chip";
import { cn } from "@/app/_components/ui/cn";

export function RpcName({
  name,
  levels,
  isUnmapped,
  onLevels,
}: Readonly<{
  name: string;
  levels: RpcRule["levels"];
  isUnmapped: boolean;
  onLevels: ((levels: RpcRule["levels"]) => void) | undefined;
}>) {
  return (
    <span className="flex flex-wrap items-center gap-x-2 gap-y-0.5">
      <span className="font-medium wrap-anywhere hyphens-auto">{name}</span>
      {isUnmapped && (
        <Chip tone="warn" icon={CircleDashed}>
          Unmapped
        </Chip>
      )}
      {levels.length === 0 && (
        <Chip tone="bad" icon={TriangleAlert}>
          No level
        </Chip>
      )}
      {hasGap(levels) && (
        <span className="inline-flex items-center gap-1.5">
          <Chip tone="warn" icon={TriangleAlert}>
            Gap
          </Chip>
          {onLevels && (
            <button
              type="button"
              className="h-6 text-xs font-medium text-link hover:underline"
              aria-label={`Fill the gap of ${name}`}
              onClick={() => onLevels(fillGap(levels))}
            >
              Fill
            </button>
          )}
        </span>
      )}
    </span>
  );
}

/** Opens and closes the parameters of an RPC; absent where it has none. */
export function ParametersButton({
  name,
  count,
  possible,
  isOpen,
  onOpen,
}: Readonly<{ name: string; count: number; possible: number; isOpen: boolean; onOpen: (isOpen: boolean) => void }>) {
  if (possible === 0 && count === 0) return null;
  const words = count === 0 ? "No parameters" : `${count} of ${possible} parameters`;
  return (
    <button
      type="button"
      aria-expanded={isOpen}
      aria-label={`${name}: ${words}`}
      className="inline-flex h-6 items-center gap-0.5 text-left text-xs text-muted hover:text-text pointer-coarse:h-11"
      onClick={() => onOpen(!isOpen)}
    >
      <ChevronRight aria-hidden="true" className={cn("-ml-0.5 size-3.5 transition-transform", isOpen && "rotate-90")} />
      <span className={cn("tabular-nums", count === 0 && "text-warn")}>{words}</span>
    </button>
  );
}
