"use client";
import { ChevronDown } from "lucide-react";
import { useSearchParams } from "next/navigation";
import { buttonClass } from "@/app/_components/ui/button-class";
import { cn } from "@/app/_components/ui/cn";
import type { FilterMenuProps } from "@/app/_components/list/filter-menu-layer";
import { LazyLayer } from "@/app/_components/overlay/lazy-layer";

const load = () => import("@/app/_components/list/filter-menu-layer").then((m) => m.FilterMenuLayer);

/** Narrows a list by one parameter of its address. */
export function FilterMenu({ label, ...props }: Readonly<FilterMenuProps & { label: string }>) {
  const value = useSearchParams().get(props.parameter);
  const chosen = props.choices.find((choice) => choice.value === value);
  const trigger = (
    <button
      type="button"
      className={cn(buttonClass(), "font-normal", chosen && "border-accent-line bg-accent-soft hover:bg-accent-soft")}
    >
      <span className={chosen ? "" : "text-muted"}>{label}</span>
      {chosen && <strong className="max-w-40 truncate font-medium">{chosen.label}</strong>}
      <ChevronDown aria-hidden="true" className="text-muted" />
    </button>
  );
  return <LazyLayer popup="menu" trigger={trigger} load={load} props={props} />;
}
