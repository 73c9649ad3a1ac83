import { LinkButton } from "@/app/_components/link-button";
import { NotFoundPanel } from "@/app/_components/not-found-panel";

/** A message that is not there, or not in this environment. */
export default function MessageNotFound() {
  return (
    <NotFoundPanel
      title="There is no such message here"
      action={<LinkButton href="/consumermessages">All consumer messages</LinkButton>}
    >
      It was removed, or it is not in production yet.
    </NotFoundPanel>
  );
}
