import { LinkButton } from "@/app/_components/ui/link-button";
import { NotFoundPanel } from "@/app/_components/feedback/not-found-panel";
import { NewestMessage } from "./newest-message";

/** A message that is not there, or not in this environment. */
export default function MessageNotFound() {
  return (
    <NotFoundPanel
      title="This version no longer exists"
      action={
        <div className="flex flex-wrap gap-2">
          <NewestMessage />
          <LinkButton href="/consumermessages">All consumer messages</LinkButton>
        </div>
      }
    >
      <p>There is no consumer message at this address: it was removed, or it is not in production yet.</p>
    </NotFoundPanel>
  );
}
