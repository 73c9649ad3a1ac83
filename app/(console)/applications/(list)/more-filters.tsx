"use client";
import { ListFilter } from "lucide-react";
import dynamic from "next/dynamic";
import { useSearchParams } from "next/navigation";
import { useState } from "react";
import { buttonClass } from "@/app/_components/ui/button-class";
import { cn } from "@/app/_components/ui/cn";
import { LazyDialog } from "@/app/_components/overlay/lazy-dialog";
import { moreFilters } from "./filter-labels";

const load = () => import("./more-filters-dialog");
const MoreFiltersDialog = dynamic(() => load().then((m) => m.MoreFiltersDialog), { ssr: false });

/** The filters that are needed less often, behind one button that says how many of them are on. */
export function MoreFilters() {
  const query = useSearchParams();
  const [isOpen, setIsOpen] = useState(false);
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
    <LazyDialog trigger={trigger} open={isOpen} onOpenChange={setIsOpen} load={load}>
      {(state) => <MoreFiltersDialog {...state} />}
    </LazyDialog>
  );
}
