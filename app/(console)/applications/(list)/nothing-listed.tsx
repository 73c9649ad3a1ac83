import { CircleCheck, Inbox, SearchX } from "lucide-react";
import { Link } from "@/app/_components/ui/link";
import { CopyButton } from "@/app/_components/ui/copy-button";
import { EmptyState } from "@/app/_components/feedback/empty-state";
import { LinkButton } from "@/app/_components/ui/link-button";
import { TimeAgo } from "@/app/_components/ui/time-ago";
import type { ListState } from "@/lib/apps/applications/console/console-schema";
import type { DirectoryNews } from "@/lib/apps/applications/console/news-queries";
import { formatNumber } from "@/lib/labels/format-number";
import { SyncButton } from "./sync-button";

const nothing: Readonly<Record<Exclude<ListState, "review" | "all">, string>> = {
  staging: "No app is in staging only",
  accepted: "No app is approved",
  limited: "No app is limited",
  blocked: "No app is blocked",
};

/** Why the list is empty, and what to do about it. */
export function NothingListed({
  state,
  total,
  clearHref,
  news,
}: Readonly<{
  state: ListState;
  total: number;
  /** The list without filters; null when there are none. */
  clearHref: string | null;
  news: DirectoryNews | null;
}>) {
  if (clearHref !== null) {
    return (
      <EmptyState
        icon={SearchX}
        title="No app matches the filters"
        action={<LinkButton href={clearHref}>Clear filters</LinkButton>}
      >
        {total > 0 && `${formatNumber(total)} with another state do.`}
      </EmptyState>
    );
  }
  if (total === 0) return <NoApps news={news} />;
  if (state === "review" || state === "all") return <NothingWaits news={news} />;
  return <EmptyState title={nothing[state]} />;
}

function NothingWaits({ news }: Readonly<{ news: DirectoryNews | null }>) {
  return (
    <EmptyState icon={CircleCheck} title="Nothing to review">
      {news?.lastDecision && (
        <p>
          Last decision: <Link href={`/applications/${news.lastDecision.id}`}>{news.lastDecision.name}</Link>,{" "}
          <TimeAgo at={news.lastDecision.at} />
        </p>
      )}
      <LastRead news={news} />
      <p>
        <Link href="/about">How new versions arrive</Link>
      </p>
    </EmptyState>
  );
}

/** Apps come from elsewhere: says from where, and how. */
function NoApps({ news }: Readonly<{ news: DirectoryNews | null }>) {
  return (
    <EmptyState icon={Inbox} title="No apps yet" action={news !== null && news.directory !== "off" && <SyncButton />}>
      <p>
        You add apps in the app directory, not here. The server reads them from there, and the directory reports every
        change{news === null ? "." : " at this address:"}
      </p>
      {news !== null && (
        <p className="mt-2 flex items-center justify-center gap-1 text-text">
          <code className="font-mono text-xs break-all">{news.webhookUrl}</code>
          <CopyButton text={news.webhookUrl} label="Copy webhook address" />
        </p>
      )}
      {news?.directory === "off" && (
        <p className="mt-2">
          No app directory is configured. <Link href="/about">View configuration</Link>
        </p>
      )}
      <LastRead news={news} />
    </EmptyState>
  );
}

function LastRead({ news }: Readonly<{ news: DirectoryNews | null }>) {
  if (news === null || news.directory === "off") return null;
  if (news.readAt === null) return <p>The app directory has not been read yet.</p>;
  return (
    <p>
      Last read from the directory <TimeAgo at={news.readAt} />.
    </p>
  );
}
