import { CarFront } from "lucide-react";
import { EmptyState } from "@/app/_components/feedback/empty-state";
import { LinkButton } from "@/app/_components/ui/link-button";

export function NoVehicles() {
  return (
    <EmptyState
      icon={CarFront}
      title="No vehicle has asked yet"
      action={
        <LinkButton href="/moduleconfig?environment=production" variant="primary">
          See the address for vehicles
        </LinkButton>
      }
    >
      Head units need the address of this server: docs/connecting-vehicles.md says how. Charts appear about a minute
      after the first request.
    </EmptyState>
  );
}
