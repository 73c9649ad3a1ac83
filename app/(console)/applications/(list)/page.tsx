import type { Metadata } from "next";
import { guides } from "@/app/_components/guides";
import { Pagination } from "@/app/_components/list/pagination";
import { RememberList } from "@/app/_components/list/list-memory";
import { LinkTabs } from "@/app/_components/ui/link-tabs";
import { PageHeader } from "@/app/_components/ui/page-header";
import { PartProblem } from "@/app/_components/feedback/part-problem";
import { loadConsoleList, loadListChoices } from "@/lib/apps/applications/console/console-queries";
import {
  buildListPath,
  consoleListQuery,
  filterNames,
  type ListState,
  listStates,
} from "@/lib/apps/applications/console/console-schema";
import { loadDirectoryNews } from "@/lib/apps/applications/console/news-queries";
import { requirePage } from "@/lib/platform/auth/callers/require-page";
import { countDirectoryProblems } from "@/lib/console/counters";
import { loadPart } from "@/lib/console/load-part";
import { readClock } from "@/lib/console/read-clock";
import { requireListQuery } from "@/lib/console/require-page-query";
import { ApplicationList } from "./application-list";
import { BulkHost } from "./bulk/bulk-host";
import { NothingListed } from "./nothing-listed";
import { Link } from "@/app/_components/ui/link";
import { Notice } from "@/app/_components/feedback/notice";
import { describeDirectoryProblems } from "@/app/_components/shell/navigation/sections";

export const metadata: Metadata = { title: "Applications" };

const tabNames: Readonly<Record<ListState, string>> = {
  review: "Needs review",
  staging: "In staging",
  accepted: "Approved",
  limited: "Limited",
  blocked: "Blocked",
  all: "All",
};

const withoutFilters = Object.fromEntries(filterNames.map((name) => [name, undefined]));

/** Which apps await a decision, and what state every other app is in. */
export default async function ApplicationsPage({ searchParams }: PageProps<"/applications">) {
  await requirePage("read");
  const query = await requireListQuery("/applications", consoleListQuery, await searchParams);
  const [list, foundChoices, problems] = await Promise.all([
    loadConsoleList(query),
    loadPart("choices of filters", loadListChoices),
    loadPart("problems with the app directory", countDirectoryProblems),
  ]);
  const choices = "value" in foundChoices ? foundChoices.value : { platforms: [], categories: [] };
  const { rows, counts, offset, next, previous } = list;
  const hasFilters = filterNames.some((name) => query[name] !== undefined);
  const news = rows.length === 0 && !hasFilters ? await loadPart("news of the app directory", loadDirectoryNews) : null;
  return (
    <>
      <PageHeader title="Applications" helpHref={guides.applications} />
      <LinkTabs
        label="States"
        tabs={listStates.map((state) => ({
          label: tabNames[state],
          href: buildListPath(query, { state }),
          isCurrent: state === query.state,
          count: counts[state],
        }))}
      />
      {"value" in problems && (
        <DirectoryNotice apps={problems.value.unreadable_applications} tasks={problems.value.failed_tasks} />
      )}
      <RememberList
        section="/applications"
        items={rows.map(({ id }) => ({ key: String(id), path: `/applications/${id}` }))}
      />
      <ApplicationList
        key={query.state}
        rows={rows}
        query={query}
        choices={choices}
        total={counts[query.state]}
        now={readClock()}
        empty={
          rows.length === 0 && (
            <>
              <NothingListed
                state={query.state}
                total={counts.all}
                clearHref={hasFilters ? buildListPath(query, withoutFilters) : null}
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
          previousHref={previous && buildListPath(query, { before: previous, after: undefined })}
          nextHref={next && buildListPath(query, { after: next, before: undefined })}
          size={query.size}
        />
      )}
      <BulkHost />
    </>
  );
}

/** Says that the list is not all of what the app directory has. */
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
