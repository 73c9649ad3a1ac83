import { LinkButton } from "@/app/_components/link-button";
import { NotFoundPanel } from "@/app/_components/not-found-panel";

export default function GroupNotFound() {
  return (
    <NotFoundPanel
      title="This version no longer exists"
      action={
        <LinkButton href="/functionalgroups" variant="primary">
          All functional groups
        </LinkButton>
      }
    >
      <p>There is no functional group at this address. It may have been deleted and promoted since.</p>
    </NotFoundPanel>
  );
}
