import { LazyNewestGroup } from "@/app/(console)/functionalgroups/manage/lazy-newest-group";
import { LinkButton } from "@/app/_components/ui/link-button";
import { NotFoundPanel } from "@/app/_components/feedback/not-found-panel";

export default function GroupNotFound() {
  return (
    <NotFoundPanel
      title="This version no longer exists"
      action={
        <div className="flex flex-wrap gap-2">
          <LazyNewestGroup />
          <LinkButton href="/functionalgroups">All functional groups</LinkButton>
        </div>
      }
    >
      <p>There is no functional group at this address. It may have been deleted and promoted since.</p>
    </NotFoundPanel>
  );
}
