import type { Metadata } from "next";
import { EmptyState } from "@/app/_components/feedback/empty-state";
import { LinkButton } from "@/app/_components/ui/link-button";
import { LinkTabs } from "@/app/_components/ui/link-tabs";
import { PageHeader } from "@/app/_components/ui/page-header";
import { FreezeNotice } from "@/app/_releases/freeze-notice";
import { kindLabels } from "@/app/_releases/labels";
import { requirePage } from "@/lib/platform/auth/callers/require-page";
import { readClock } from "@/lib/console/read-clock";
import { requirePageQuery } from "@/lib/console/require-page-query";
import { releasesPageQuery } from "@/lib/content/releases/schema";
import { loadFreeze } from "@/lib/content/releases/freeze";
import { listReleases } from "@/lib/content/releases/queries";
import { listScheduled } from "@/lib/gate/schedule/commands";
import { releaseKinds } from "@/lib/labels/release-items";
import { FreezeControl } from "./freeze-control";
import { ReleaseTable } from "./release-table";
import { ScheduledSection } from "./scheduled-section";
import { Timeline } from "./timeline";

export const metadata: Metadata = { title: "Releases" };

const pageSize = 50;

/** The whole history of production: every release as a picture and as a table. */
export default async function ReleasesPage({ searchParams }: PageProps<"/releases">) {
  await requirePage("read");
  const { kind, cursor } = requirePageQuery("/releases", releasesPageQuery, await searchParams);
  const [{ releases, next_cursor: next }, scheduled, freeze] = await Promise.all([
    listReleases({ limit: pageSize, cursor, kind }),
    listScheduled(),
    loadFreeze(),
  ]);
  const hrefOf = (query: { readonly kind?: string | undefined; readonly cursor?: number | null }) => {
    const given = Object.entries(query).flatMap(([name, value]) => (value == null ? [] : [[name, String(value)]]));
    return given.length === 0 ? "/releases" : `/releases?${new URLSearchParams(given).toString()}`;
  };
  return (
    <>
      <PageHeader
        title="Releases"
        description="Every change to what vehicles in production receive, newest first."
        actions={
          <>
            <FreezeControl freeze={freeze} />
            <LinkButton href="/changes" variant="primary">
              Review changes
            </LinkButton>
          </>
        }
      />
      <FreezeNotice freeze={freeze} />
      <ScheduledSection scheduled={scheduled} />
      <LinkTabs
        label="Kinds of releases"
        tabs={[
          { label: "All", href: "/releases", isCurrent: kind === undefined },
          ...releaseKinds.map((one) => ({
            label: kindLabels[one],
            href: hrefOf({ kind: one }),
            isCurrent: kind === one,
          })),
        ]}
      />
      {releases.length === 0 ? (
        <EmptyState title="No releases">
          {kind === undefined
            ? "Nothing has been published yet. Releases appear here when you publish changes."
            : "No release of this kind."}
        </EmptyState>
      ) : (
        <>
          <Timeline releases={releases} now={readClock()} />
          <ReleaseTable releases={releases} />
        </>
      )}
      <nav aria-label="Pages" className="mt-3 flex justify-end gap-2">
        {cursor !== undefined && <LinkButton href={hrefOf({ kind })}>Newest</LinkButton>}
        {next !== null && <LinkButton href={hrefOf({ kind, cursor: next })}>Older</LinkButton>}
      </nav>
    </>
  );
}
