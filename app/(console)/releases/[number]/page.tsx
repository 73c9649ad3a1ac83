import { Download } from "lucide-react";
import type { Metadata } from "next";
import { BackToList } from "@/app/_components/list/back-to-list";
import { Pagination } from "@/app/_components/list/pagination";
import { LinkButton } from "@/app/_components/ui/link-button";
import { PageHeader } from "@/app/_components/ui/page-header";
import { Section } from "@/app/_components/ui/section";
import { KindChip, describeDone, Author } from "@/app/_releases/labels";
import { requirePage } from "@/lib/platform/auth/callers/require-page";
import { readClock } from "@/app/_console/read-clock";
import { requirePageQuery } from "@/app/_console/require-page-query";
import { releasePageQuery } from "@/lib/releases/schema";
import { cutPage } from "@/lib/records/store/listing";
import { diffRelease } from "@/lib/releases/items/diff";
import { listReleases, requireRelease, toReleaseJson } from "@/lib/releases/queries";
import { loadRollout } from "@/lib/releases/rollout/queries";
import { loadTitles } from "@/lib/releases/items/titles";
import { itemText, kindLabels } from "@/lib/vocabulary/release-items";
import { CompareChoice } from "./compare-choice";
import { loadReleaseFigures } from "./queries";
import { ReleaseAdoption } from "./release-adoption";
import { ReturnButton } from "../return-button";
import type { Point } from "../return-dialog";
import { notFound } from "next/navigation";
import { cache, Suspense } from "react";
import { Skeleton } from "@/app/_components/ui/skeleton";
import { ItemDiffs } from "@/app/_releases/item-diffs";
import { findReleaseEffect } from "@/lib/releases/publish/release-effect";
import { RolloutSection } from "@/app/_releases/rollout-section";
import { ReleaseEffect } from "@/app/_releases/verdict-sections";
import { AppError } from "@/lib/platform/errors";
import type { ReleaseJson } from "@/lib/releases/answer-schema";
import { Link } from "@/app/_components/ui/link";
import { FactList } from "@/app/_components/ui/fact-list";
import { TimeAgo } from "@/app/_components/ui/time-ago";
import { CheckList } from "@/app/_releases/check-list";

/** The release that an address names; loaded once for page and title. If there is none: not found. */
const requireShownRelease = cache(async (parameter: string): Promise<ReleaseJson> => {
  if (!/^[1-9]\d{0,8}$/.test(parameter)) notFound();
  try {
    return toReleaseJson(await requireRelease(Number(parameter)));
  } catch (error) {
    if (error instanceof AppError && error.code === "notFound") notFound();
    throw error;
  }
});

type Props = PageProps<"/releases/[number]">;

/** Number of releases in the menu; the address accepts any. */
const maxOthers = 100;

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  await requirePage("read");
  const { number, name } = await requireShownRelease((await params).number);
  return { title: `#${number}${name === null ? "" : ` ${name}`} · Releases` };
}

/** One release: what it changed in production, who published it and why, and how to roll back to it. */
export default async function ReleasePage({ params, searchParams }: Props) {
  await requirePage("read");
  const release = await requireShownRelease((await params).number);
  const { number, name, kind, items } = release;
  const { to, after } = requirePageQuery(`/releases/${number}`, releasePageQuery, await searchParams);
  const [diff, { releases }, rollout] = await Promise.all([
    diffRelease(number, to),
    listReleases({ limit: maxOthers, cursor: undefined, kind: undefined }),
    loadRollout(),
  ]);
  const current = releases[0] ?? release;
  // The newest one is taken back by going to the one before.
  const target = current.number === number ? releases.find((one) => one.number < number) : release;
  const { page, after: start } = cutPage(diff, { size: itemsAtOnce, after });
  const isShort = diff.length <= maxOpen && diff.reduce((sum, { fields }) => sum + fields.length, 0) <= maxOpenFields;
  const hrefOf = (place: number) => {
    const values = { ...(to !== undefined && { to: String(to) }), ...(place > 0 && { after: String(place) }) };
    return `/releases/${number}?${new URLSearchParams(values).toString()}`;
  };
  const titleOf = await loadTitles([...page, ...release.findings]);
  const findings = release.findings.map((finding) => ({ ...finding, title: titleOf(finding) }));
  const summaries = new Map(items.map((item) => [itemText(item), item.summary]));
  return (
    <>
      <PageHeader
        title={`Release #${number}${name === null ? "" : ` ${name}`}`}
        back={<BackToList section="/releases" label="Releases" />}
        state={<KindChip kind={kind} />}
        description={describeDone(items)}
        actions={
          <>
            <LinkButton href={`/api/v1/releases/${number}/report`} download>
              <Download aria-hidden="true" />
              Download report
            </LinkButton>
            {target && <ReturnButton release={toPoint(target)} current={toPoint(current)} />}
          </>
        }
      />
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 2xl:grid-cols-[minmax(0,1fr)_26rem]">
        <div className="space-y-4">
          <RolloutSection rollout={rollout?.release === number ? rollout : null} />
          {to === undefined && (
            <Suspense fallback={<Skeleton className="h-24" />}>
              <ReleaseAdoption number={number} figures={loadReleaseFigures(release.at, readClock())} />
            </Suspense>
          )}
          {to === undefined && number > 1 && (
            <Suspense fallback={<Skeleton className="h-24" />}>
              <ReleaseEffect number={number} effect={findReleaseEffect(number)} />
            </Suspense>
          )}
          <Section
            title={to === undefined ? "What it changed in production" : "Compared"}
            actions={
              <CompareChoice
                number={number}
                value={to === undefined ? "" : String(to)}
                others={releases
                  .filter((other) => other.number !== number)
                  .map((other) => ({
                    number: other.number,
                    label: `#${other.number} ${other.name ?? kindLabels[other.kind]}`,
                  }))}
              />
            }
            flush
          >
            <ItemDiffs
              // Another comparison opens other items.
              key={`${to ?? ""} ${start}`}
              items={page.map(({ fields, ...item }) => ({
                ...{ ...item, title: titleOf(item) },
                fields: isShort ? fields : null,
                summary: to === undefined ? (summaries.get(itemText(item)) ?? null) : null,
              }))}
              environment="production"
              path={`/api/v1/releases/${number}/diff${to === undefined ? "" : `?to=${to}`}`}
            />
            <ItemPages place={{ after: start, count: page.length, total: diff.length }} hrefOf={hrefOf} />
          </Section>
        </div>
        <div className="space-y-4 max-2xl:order-first">
          <ReleaseFindings findings={findings} reason={release.reason} />
          <ReleaseFacts release={release} />
        </div>
      </div>
    </>
  );
}

const toPoint = ({ number, name, at }: Point): Point => ({ number, name, at });

const itemsAtOnce = 50;
/** Maximum number of items and fields open at first; the content of others is fetched when they are opened. */
const [maxOpen, maxOpenFields] = [3, 100];

function ItemPages({
  place: { after, count, total },
  hrefOf,
}: Readonly<{
  place: { readonly after: number; readonly count: number; readonly total: number };
  hrefOf: (after: number) => string;
}>) {
  if (count === total) return null;
  return (
    <div className="border-t border-line px-4 pb-3">
      <Pagination
        first={after + 1}
        count={count}
        total={total}
        previousHref={after === 0 ? null : hrefOf(after - itemsAtOnce)}
        nextHref={after + count >= total ? null : hrefOf(after + count)}
      />
    </div>
  );
}

function ReleaseFacts({ release }: Readonly<{ release: ReleaseJson }>) {
  const { author, at, revision, note, returned_to: target, approved_by: approvedBy } = release;
  return (
    <Section title="About this release" flush>
      <FactList
        facts={[
          [
            "Rolled back to",
            target && (
              <Link key="target" href={`/releases/${target}`}>
                Release #{target}
              </Link>
            ),
          ],
          ["By", <Author key="author" author={author} />],
          ["Approved by", approvedBy && <Author key="approved" author={approvedBy} />],
          ["When", <TimeAgo key="at" at={at} exact />],
          ["Policy revision", String(revision)],
          [
            "Note",
            note && (
              <span key="note" className="whitespace-pre-line">
                {note}
              </span>
            ),
          ],
        ]}
      />
    </Section>
  );
}

function ReleaseFindings({ findings, reason }: Readonly<Pick<ReleaseJson, "findings" | "reason">>) {
  if (findings.length === 0) return null;
  return (
    <Section title="Published despite problems" description={reason ?? undefined} flush>
      <CheckList checks={findings} environment="production" />
    </Section>
  );
}
