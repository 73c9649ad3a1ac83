"use client";
import { type LucideIcon, Minus, Pencil, Plus, TriangleAlert } from "lucide-react";
import { BlockedGroups } from "@/app/(console)/functionalgroups/blocked-groups";
import {
  listPrerequisites,
  type Prerequisite,
  prerequisiteKey,
  type PromotionItem,
  type PromotionPlan,
  type WaitingVehicleData,
} from "@/app/(console)/functionalgroups/promotion-plan";
import { Checkbox } from "@/app/_components/fields/checkbox";
import { cn } from "@/app/_components/ui/cn";

const changes: Readonly<Record<PromotionItem["change"], { icon: LucideIcon; word: string; className: string }>> = {
  new: { icon: Plus, word: "new", className: "text-good" },
  changed: { icon: Pencil, word: "changed", className: "text-warn" },
  deleted: { icon: Minus, word: "removed", className: "text-bad" },
};

/** What goes to production, and what keeps the rest from it. */
export function PromotionList({
  items,
  vehicleData,
  plan,
  included,
  onInclude,
  onIncludeAll,
}: Readonly<{
  items: readonly PromotionItem[];
  vehicleData: readonly WaitingVehicleData[];
  plan: PromotionPlan;
  included: ReadonlySet<string>;
  onInclude: (prerequisite: Prerequisite, isIncluded: boolean) => void;
  onIncludeAll: () => void;
}>) {
  const ready = items.filter((item) => !plan.blocked.includes(item));
  const open = listPrerequisites(items).filter(({ id }) => id !== null);
  return (
    <div className="space-y-4 text-table text-text">
      {ready.length > 0 && (
        <>
          <p className="text-sm text-muted">
            {countWords(ready)} Vehicles get the new production table from the next update on.
          </p>
          <ul className="max-h-56 divide-y divide-line overflow-y-auto rounded-card border border-line">
            {ready.map((item) => (
              <Ready key={item.id} item={item} />
            ))}
          </ul>
        </>
      )}
      {open.length > 0 && (
        <fieldset className="space-y-1.5">
          <legend className="flex w-full items-center gap-2 font-semibold">
            Needed first
            {open.length > 1 && open.some((one) => !included.has(prerequisiteKey(one))) && (
              <button
                type="button"
                className="ml-auto h-6 font-medium text-link hover:underline"
                onClick={onIncludeAll}
              >
                Include all {open.length}
              </button>
            )}
          </legend>
          {open.map((one) => (
            <label key={prerequisiteKey(one)} className="flex items-start gap-2.5 rounded-control py-0.5">
              <Checkbox
                checked={included.has(prerequisiteKey(one))}
                onChange={(isIncluded) => {
                  onInclude(one, isIncluded);
                }}
                className="mt-0.5"
              />
              <span>
                {one.kind === "message" ? "Promote the message too: " : "Promote the vehicle data too: "}
                <strong className="font-medium">{one.name}</strong>
                {one.kind === "vehicle_data" && vehicleData.length > 1 && (
                  <span className="block text-xs text-muted">
                    Vehicle data is promoted as a whole; with it go{" "}
                    {vehicleData
                      .filter(({ name }) => name !== one.name)
                      .map(({ name, is_deleted: isDeleted }) => (isDeleted ? `${name} (removed)` : name))
                      .join(", ")}
                    .
                  </span>
                )}
              </span>
            </label>
          ))}
        </fieldset>
      )}
      <BlockedGroups items={plan.blocked} />
    </div>
  );
}

function Ready({ item }: Readonly<{ item: PromotionItem }>) {
  const { icon: Icon, word, className } = changes[item.change];
  return (
    <li className="flex items-start gap-2 px-3 py-1.5">
      <Icon aria-hidden="true" className={cn("mt-0.5 size-4 shrink-0", className)} />
      <span className="min-w-0 grow">
        <span className="font-medium wrap-anywhere">{item.name}</span>
        {item.older_wording !== null && (
          <span className="block text-xs text-muted">
            Drivers keep reading the older wording of {item.older_wording}: the newer one stays in staging.
          </span>
        )}
        {item.is_default && <span className="block text-xs text-muted">Every app has this group.</span>}
        {item.is_empty && (
          <span className="flex items-start gap-1 text-xs text-warn">
            <TriangleAlert aria-hidden="true" className="mt-0.5 size-3 shrink-0" />
            {item.production_id === null
              ? "It is empty: apps that get it can call nothing through it."
              : "It is empty now: apps that have it can call nothing through it any more."}
          </span>
        )}
      </span>
      <span className={cn("shrink-0 text-xs", className)}>{word}</span>
    </li>
  );
}

function countWords(items: readonly PromotionItem[]): string {
  const words = { new: "to add", changed: "to change", deleted: "to remove" } as const;
  const parts = (["new", "changed", "deleted"] as const).flatMap((change) => {
    const count = items.filter((item) => item.change === change).length;
    return count === 0 ? [] : [`${count} ${words[change]}`];
  });
  return `${parts.join(", ")}.`;
}
