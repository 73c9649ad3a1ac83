import { LinkButton } from "@/app/_components/link-button";
import { NotFoundPanel } from "@/app/_components/not-found-panel";

export default function VehicleDataNotFound() {
  return (
    <NotFoundPanel
      title="This version no longer exists"
      action={
        <LinkButton href="/vehicledata" variant="primary">
          All vehicle data
        </LinkButton>
      }
    >
      <p>There is no item of vehicle data at this address. It may have been deleted and promoted since.</p>
    </NotFoundPanel>
  );
}
