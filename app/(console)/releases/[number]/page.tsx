import type { Metadata } from "next";
import { BackToList } from "@/app/_components/list/back-to-list";
import { PageHeader } from "@/app/_components/ui/page-header";
import { Section } from "@/app/_components/ui/section";
import { KindChip, describeDone, kindLabels, ChangeMark, Author } from "@/app/_releases/labels";
import { requirePage } from "@/lib/platform/auth/callers/require-page";
import { requirePageQuery } from "@/lib/console/require-page-query";
import { releasePageQuery } from "@/lib/content/releases/schema";
import { diffRelease } from "@/lib/gate/items/diff";
import { listReleases, requireRelease, toReleaseJson } from "@/lib/content/releases/queries";
import { itemText, itemAddress, type ItemKey, releaseItems, titleOf } from "@/lib/labels/release-items";
import { CompareChoice } from "./compare-choice";
import { ReturnButton } from "./return-button";
import { notFound } from "next/navigation";
import { cache } from "react";
import { isAppError } from "@/lib/platform/errors";
import type { ItemDiffJson, ReleaseJson } from "@/lib/content/releases/answer-schema";
import { Link } from "@/app/_components/ui/link";
import { Breakable } from "@/app/_components/ui/breakable";
import { FieldDiff } from "@/app/_releases/field-diff";
import { FactList } from "@/app/_components/ui/fact-list";
import { TimeAgo } from "@/app/_components/ui/time-ago";
import { CheckList } from "@/app/_releases/check-list";
import { formatNumber } from "@/lib/labels/format-number";

/** The release that an address names; loaded once for page and title. What names none leads to the not-found page. */
const requireShownRelease = cache(async (parameter: string): Promise<ReleaseJson> => {
  if (!/^[1-9]\d{0,8}$/.test(parameter)) notFound();
  try {
    return toReleaseJson(await requireRelease(Number(parameter)));
  } catch (error) {
    if (isAppError(error) && error.code === "notFound") notFound();
    throw error;
  }
});

type Props = PageProps<"/releases/[number]">;

/** Other releases that it can be compared with by a choice; the address takes any. */
const maxOthers = 100;

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  await requirePage("read");
  const { number, name } = await requireShownRelease((await params).number);
  return { title: `Release #${number}${name === null ? "" : ` ${name}`}` };
}

/** One release: what it did to production, by whom and why, and the way back to it. */
export default async function ReleasePage({ params, searchParams }: Props) {
  await requirePage("read");
  const release = await requireShownRelease((await params).number);
  const { number, name, kind, items } = release;
  const { to } = requirePageQuery(`/releases/${number}`, releasePageQuery, await searchParams);
  const [diff, { releases }] = await Promise.all([
    diffRelease(number, to),
    listReleases({ limit: maxOthers, cursor: undefined, kind: undefined }),
  ]);
  const current = releases[0] ?? release;
  const summaries = new Map(items.map((item) => [itemText(item), item.summary]));
  return (
    <>
      <PageHeader
        title={`Release #${number}${name === null ? "" : ` ${name}`}`}
        back={<BackToList section="/releases" label="Releases" word="release" itemKey={String(number)} />}
        state={<KindChip kind={kind} />}
        description={describeDone(items)}
        actions={
          current.number === number ? null : (
            <ReturnButton release={release} current={current} label="Roll back to this release…" />
          )
        }
      />
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 2xl:grid-cols-[minmax(0,1fr)_26rem]">
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
          <ReleaseDiff
            items={diff}
            summaryOf={(item) => (to === undefined ? (summaries.get(itemText(item)) ?? null) : null)}
          />
        </Section>
        <div className="space-y-4 max-2xl:order-first">
          <ReleaseFindings release={release} />
          <ReleaseFacts release={release} />
        </div>
      </div>
    </>
  );
}

/** This many are open at first. */
const maxOpen = 3;

/** What differs, item by item; each can be folded away. */
function ReleaseDiff({
  items,
  summaryOf,
}: Readonly<{
  items: readonly ItemDiffJson[];
  summaryOf: (item: ItemKey) => string | null;
}>) {
  if (items.length === 0) return <p className="px-4 py-3 text-table text-muted">No differences.</p>;
  return (
    <ul className="divide-y divide-line">
      {items.map((item) => {
        const summary = summaryOf(item);
        return (
          <li key={itemText(item)}>
            <details open={items.length <= maxOpen}>
              <summary className="flex cursor-pointer flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2 -outline-offset-2 hover:bg-hover">
                <ChangeMark change={item.change} />
                <span className="font-medium">
                  <Breakable text={titleOf(item)} />
                </span>
                <span className="text-xs text-muted">{releaseItems[item.family].noun}</span>
                {summary !== null && <span className="basis-full text-table text-muted sm:basis-auto">{summary}</span>}
              </summary>
              <div className="border-t border-line bg-page">
                <FieldDiff fields={item.fields} empty="Its content stays the same." />
                <p className="px-4 pb-3 text-table">
                  <Link href={itemAddress(item, "production")}>{`Open ${titleOf(item)}`}</Link>
                </p>
              </div>
            </details>
          </li>
        );
      })}
    </ul>
  );
}

function ReleaseFacts({ release }: Readonly<{ release: ReleaseJson }>) {
  const { kind, author, at, revision, note, item_count: count, returned_to: target, approved_by: approvedBy } = release;
  return (
    <Section title="About this release" flush>
      <FactList
        facts={[
          ["Kind", kindLabels[kind]],
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
          ["When", <TimeAgo key="at" at={at} />],
          ["Items", formatNumber(count)],
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

function ReleaseFindings({ release: { findings, reason } }: Readonly<{ release: ReleaseJson }>) {
  if (findings.length === 0) return null;
  return (
    <Section title="Published despite problems" description={reason ?? undefined} flush>
      <CheckList checks={findings} />
    </Section>
  );
}
