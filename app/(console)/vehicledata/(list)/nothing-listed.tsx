import { CarFront } from "lucide-react";
import { EmptyState } from "@/app/_components/feedback/empty-state";
import { LinkButton } from "@/app/_components/ui/link-button";
import type { VehicleDataList } from "@/lib/vehicle-data/console-queries";
import type { VehicleDataListQuery } from "@/lib/vehicle-data/list-address";

/** What stands in place of an empty list, and why. */
export function NothingListed({
  list,
  query,
  clearHref,
}: Readonly<{ list: VehicleDataList; query: VehicleDataListQuery; clearHref: string }>) {
  const isStaging = query.environment === "staging";
  if (query.q !== "" || query.type !== "" || query.use !== "") {
    return (
      <EmptyState
        icon={CarFront}
        title="No item passes these filters"
        action={<LinkButton href={clearHref}>Clear filters</LinkButton>}
      >
        Names, keys and types were looked at on all levels.
      </EmptyState>
    );
  }
  if (list.unfiltered > 0) {
    return (
      <EmptyState
        icon={CarFront}
        title={query.state === "modified" ? "Everything is in production" : "No item is in this state"}
      >
        {isStaging ? "Staging" : "Production"} holds {list.unfiltered === 1 ? "1 item" : `${list.unfiltered} items`} in
        all.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon={CarFront}
      title={isStaging ? "No vehicle data of your own" : "No vehicle data of your own in production"}
      action={
        isStaging && (
          <LinkButton href="/vehicledata/manage?environment=staging" variant="primary">
            New item
          </LinkButton>
        )
      }
    >
      Besides the native vehicle data, such as <code className="font-mono text-xs">speed</code>, a vehicle can offer
      what only its manufacturer knows: a struct <code className="font-mono text-xs">cabinScent</code> with a{" "}
      <code className="font-mono text-xs">level</code> from 0 to 10, say. Groups then grant it to apps.
    </EmptyState>
  );
}
