import type { Metadata } from "next";
import { BackToList } from "@/app/_components/list/back-to-list";
import { PageHeader } from "@/app/_components/ui/page-header";
import { Section } from "@/app/_components/ui/section";
import { KindChip } from "@/app/_releases/kind-chip";
import { describeDone, kindLabels } from "@/app/_releases/labels";
import { requirePage } from "@/lib/platform/auth/callers/require-page";
import { requirePageQuery } from "@/lib/console/require-page-query";
import { releasePageQuery } from "@/lib/content/releases/schema";
import { diffRelease } from "@/lib/gate/items/diff";
import { listReleases, requireRelease, toReleaseJson } from "@/lib/content/releases/queries";
import { itemText } from "@/lib/labels/release-items";
import { CompareChoice } from "./compare-choice";
import { ReleaseDiff } from "./release-diff";
import { ReleaseFacts, ReleaseFindings } from "./release-facts";
import { ReturnButton } from "./return-button";
import "server-only";
import { notFound } from "next/navigation";
import { cache } from "react";
import { isAppError } from "@/lib/platform/errors";
import type { ReleaseJson } from "@/lib/content/releases/answer-schema";

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
