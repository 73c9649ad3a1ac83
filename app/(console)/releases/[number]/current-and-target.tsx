import { ArrowRight } from "lucide-react";
import { TimeAgo } from "@/app/_components/ui/time-ago";
import type { ReleaseOutlineJson } from "@/lib/content/releases/answer-schema";

type Point = Pick<ReleaseOutlineJson, "number" | "name" | "at">;

/** What production has and what it will have, side by side. */
export function CurrentAndTarget({ current, target }: Readonly<{ current: Point; target: Point }>) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_auto_minmax(0,1fr)] items-center gap-2 text-text">
      <Side title="Production now" point={current} />
      <ArrowRight aria-hidden="true" className="size-4 text-muted" />
      <Side title="Afterwards as in" point={target} />
    </div>
  );
}

function Side({ title, point: { number, name, at } }: Readonly<{ title: string; point: Point }>) {
  return (
    <div className="h-full rounded-card border border-line px-3 py-2">
      <p className="text-xs text-muted">{title}</p>
      <p className="font-medium wrap-anywhere">
        #{number} {name}
      </p>
      <p className="text-xs text-muted">
        <TimeAgo at={at} />
      </p>
    </div>
  );
}
