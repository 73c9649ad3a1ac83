import { NewestItem } from "@/app/(console)/vehicledata/manage/newest-item";
import { LinkButton } from "@/app/_components/ui/link-button";
import { NotFoundPanel } from "@/app/_components/feedback/not-found-panel";

export default function VehicleDataNotFound() {
  return (
    <NotFoundPanel
      title="This version no longer exists"
      action={
        <div className="flex flex-wrap gap-2">
          <NewestItem />
          <LinkButton href="/vehicledata">All vehicle data</LinkButton>
        </div>
      }
    >
      <p>There is no item of vehicle data at this address. It may have been deleted and promoted since.</p>
    </NotFoundPanel>
  );
}
