import { describeChange } from "@/app/(console)/vehicledata/promotion";
import { UsedBy } from "@/app/(console)/vehicledata/used-by";
import { RecordChip } from "@/app/_components/ui/status-chip";
import type { PendingItem } from "@/lib/vehicle-data/console-queries";

/** The items that a promotion takes along, each with what becomes of it. */
export function PromotionList({ items }: Readonly<{ items: readonly PendingItem[] }>) {
  if (items.length === 0) return null;
  return (
    <ul
      aria-label="What goes to production"
      className="max-h-72 divide-y divide-line overflow-y-auto rounded-card border border-line text-table text-text"
    >
      {items.map((item) => (
        <li key={item.id} className="px-3 py-2">
          <div className="flex items-start justify-between gap-3">
            <div className="min-w-0">
              <p className="font-medium break-all">{item.name}</p>
              <p className="text-muted">{describeChange(item)}</p>
            </div>
            <RecordChip status="STAGING" isDeleted={item.kind === "deleted"} isNew={item.kind === "new"} />
          </div>
          {item.kind === "deleted" && (
            <UsedBy groups={item.usedBy} environment="production">
              Still granted in production by:
            </UsedBy>
          )}
        </li>
      ))}
    </ul>
  );
}
