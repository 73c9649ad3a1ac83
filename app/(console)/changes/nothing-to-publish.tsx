import { CircleCheck } from "lucide-react";
import { EmptyState } from "@/app/_components/feedback/empty-state";
import { LinkButton } from "@/app/_components/ui/link-button";
import { TimeAgo } from "@/app/_components/ui/time-ago";
import type { ReleaseOutlineJson } from "@/lib/content/releases/answer-schema";

/** Staging has nothing that production does not have. */
export function NothingToPublish({ last }: Readonly<{ last: ReleaseOutlineJson | null }>) {
  return (
    <EmptyState
      icon={CircleCheck}
      title="Production equals staging"
      action={<LinkButton href="/releases">All releases</LinkButton>}
    >
      {last === null ? (
        "Nothing has been published yet."
      ) : (
        <>
          Last release #{last.number}
          {last.name !== null && `, ${last.name}`}, <TimeAgo at={last.at} />.
        </>
      )}
    </EmptyState>
  );
}
