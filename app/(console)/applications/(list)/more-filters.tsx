"use client";
import { ListFilter } from "lucide-react";
import { useSearchParams } from "next/navigation";
import { buttonClass } from "@/app/_components/ui/button-class";
import { cn } from "@/app/_components/ui/cn";
import { overlay } from "@/app/_components/overlay/on-demand";
import { Opener } from "@/app/_components/overlay/opener";
import { moreFilters } from "./filter-labels";

const MoreFiltersDialog = overlay(() => import("./more-filters-dialog").then((m) => m.MoreFiltersDialog));

/** The filters that are needed less often, behind one button that says how many of them are on. */
export function MoreFilters() {
  const query = useSearchParams();
  const count = moreFilters.filter((name) => query.has(name)).length;
  const trigger = (
    <button
      type="button"
      aria-label={count > 0 ? `More filters, ${count} on` : undefined}
      className={cn(
        buttonClass(),
        "font-normal",
        count > 0 && "border-accent-line bg-accent-soft hover:bg-accent-soft",
      )}
    >
      <ListFilter aria-hidden="true" className="text-muted" />
      <span className={count > 0 ? "" : "text-muted"}>More filters</span>
      {count > 0 && <strong className="font-medium">{count}</strong>}
    </button>
  );
  return (
    <Opener popup="dialog" trigger={trigger}>
      {({ open, onOpenChange }) => <MoreFiltersDialog open={open} onOpenChange={onOpenChange} />}
    </Opener>
  );
}
