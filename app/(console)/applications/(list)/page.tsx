import type { Metadata } from "next";
import { guides } from "@/app/_components/guides";
import { changeAddress } from "@/app/_components/list/list-address";
import { Pagination } from "@/app/_components/list/pagination";
import { RememberList } from "@/app/_components/list/list-memory";
import { LinkTabs } from "@/app/_components/ui/link-tabs";
import { PageHeader } from "@/app/_components/ui/page-header";
import { PartProblem } from "@/app/_components/feedback/part-problem";
import { loadConsoleList, loadListChoices } from "@/lib/apps/applications/console/console-queries";
import {
  consoleListQuery,
  defaultSort,
  filterNames,
  type ListState,
  listStates,
} from "@/lib/apps/applications/console/console-schema";
import { loadDirectoryNews, type DirectoryNews } from "@/lib/apps/applications/console/news-queries";
import { requirePage } from "@/lib/platform/auth/callers/require-page";
import { countDirectoryProblems } from "@/app/_console/counters";
import { loadPart } from "@/app/_console/load-part";
import { readClock } from "@/app/_console/read-clock";
import { requireListQuery } from "@/app/_console/require-page-query";
import { ApplicationList } from "./application-list";
import { BulkHost } from "./bulk/bulk-host";
import { Link } from "@/app/_components/ui/link";
import { Notice } from "@/app/_components/feedback/notice";
import { describeDirectoryProblems } from "@/app/_components/shell/navigation/sections";
import { CircleCheck, Inbox, SearchX } from "lucide-react";
import { CopyButton } from "@/app/_components/ui/copy-button";
import { EmptyState } from "@/app/_components/feedback/empty-state";
import { LinkButton } from "@/app/_components/ui/link-button";
import { TimeAgo } from "@/app/_components/ui/time-ago";
import { formatNumber } from "@/lib/vocabulary/format-number";
import { SyncButton } from "./sync-button";

export const metadata: Metadata = { title: "Applications" };

const tabNames: Readonly<Record<ListState, string>> = {
  review: "Needs review",
  staging: "In staging",
  accepted: "Approved",
  limited: "Limited",
  blocked: "Blocked",
  all: "All",
};

const withoutFilters = Object.fromEntries(filterNames.map((name) => [name, null]));

export default async function ApplicationsPage({ searchParams }: PageProps<"/applications">) {
  await requirePage("read");
  const raw = await searchParams;
  const query = await requireListQuery("/applications", consoleListQuery, raw);
  const address = new URLSearchParams(
    Object.entries(raw).flatMap(([name, value]) => (typeof value === "string" ? [[name, value]] : [])),
  );
  const change = (changes: Parameters<typeof changeAddress>[2]) => changeAddress("/applications", address, changes);
  // The order changes with the tab unless the user chose it.
  const sorted = query.sort === defaultSort(query.state) ? { sort: null } : {};
  const [list, foundChoices, problems] = await Promise.all([
    loadConsoleList(query),
    loadPart("choices of filters", loadListChoices),
    loadPart("problems with the app directory", countDirectoryProblems),
  ]);
  const choices = "value" in foundChoices ? foundChoices.value : { platforms: [], categories: [] };
  const { rows, counts, sort, offset, next, previous } = list;
  const hasFilters = filterNames.some((name) => query[name] !== undefined);
  const news = rows.length === 0 && !hasFilters ? await loadPart("news of the app directory", loadDirectoryNews) : null;
  return (
    <>
      <PageHeader title="Applications" helpHref={guides.applications} />
      <LinkTabs
        label="States"
        tabs={listStates.map((state) => ({
          label: tabNames[state],
          href: change({ ...sorted, state: state === "review" ? null : state }),
          isCurrent: state === query.state,
          count: counts[state],
        }))}
      />
      {"value" in problems && (
        <DirectoryNotice apps={problems.value.unreadable_applications} tasks={problems.value.failed_tasks} />
      )}
      <RememberList section="/applications" />
      <ApplicationList
        key={query.state}
        rows={rows}
        query={{ ...query, sort }}
        choices={choices}
        total={counts[query.state]}
        now={readClock()}
        empty={
          rows.length === 0 && (
            <>
              <NothingListed
                state={query.state}
                total={counts.all}
                clearHref={hasFilters ? change(withoutFilters) : null}
                news={news !== null && "value" in news ? news.value : null}
              />
              {news !== null && !("value" in news) && (
                <PartProblem sentence="The last results of the app directory could not be read." {...news} />
              )}
            </>
          )
        }
      >
        {!("value" in foundChoices) && (
          <PartProblem sentence="The platform and category filters could not be read." {...foundChoices} />
        )}
      </ApplicationList>
      {rows.length > 0 && (
        <Pagination
          first={offset + 1}
          count={rows.length}
          total={counts[query.state]}
          previousHref={previous && change({ before: previous, after: null })}
          nextHref={next && change({ after: next, before: null })}
          size={query.size}
        />
      )}
      <BulkHost />
    </>
  );
}

function DirectoryNotice({ apps, tasks }: Readonly<{ apps: number; tasks: number }>) {
  if (apps + tasks === 0) return null;
  return (
    <Notice
      className="mb-3"
      title={describeDirectoryProblems(apps, tasks)}
      action={
        <Link href="/about#directory" className="whitespace-nowrap">
          View failed tasks
        </Link>
      }
    >
      {apps > 0
        ? "Their records in the app directory cannot be used. They are missing here or out of date."
        : "This list may be out of date."}
    </Notice>
  );
}

const nothing: Readonly<Record<Exclude<ListState, "review" | "all">, string>> = {
  staging: "No app is in staging only",
  accepted: "No app is approved",
  limited: "No app is limited",
  blocked: "No app is blocked",
};

function NothingListed({
  state,
  total,
  clearHref,
  news,
}: Readonly<{
  state: ListState;
  total: number;
  /** Null if no filters are active. */
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
