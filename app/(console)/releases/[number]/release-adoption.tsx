import { use } from "react";
import { Notice } from "@/app/_components/feedback/notice";
import { PartProblem } from "@/app/_components/feedback/part-problem";
import { Link } from "@/app/_components/ui/link";
import { Section } from "@/app/_components/ui/section";
import type { Part } from "@/app/_console/load-part";
import { atEnd, AdoptionChart, AdoptionLegend, adoptionSentence } from "@/app/_fleet/adoption-chart";
import { sampleText } from "@/app/_fleet/count";
import type { Worsened } from "@/lib/fleet/figures/behaviour";
import { plural } from "@/lib/vocabulary/format-number";
import type { ReleaseFigures } from "./queries";

/** How vehicles took a release, and apps that got worse since (`fleet.md` S9). Nothing without requests. */
export function ReleaseAdoption({
  number,
  figures: loading,
}: Readonly<{ number: number; figures: Promise<Part<ReleaseFigures>> }>) {
  const part = use(loading);
  if (!("value" in part)) {
    return (
      <Section title="Adoption">
        <PartProblem sentence="The figures of this release could not be read." {...part} />
      </Section>
    );
  }
  const { adoption: figures, worsened } = part.value;
  if (figures.releases.length === 0) return null;
  return (
    <>
      <WorsenedApps apps={worsened} />
      <Section
        title="Adoption"
        description={`Which release vehicles had when they asked, since this one was published. ${sampleText(figures.share) ?? ""}`.trim()}
        actions={<Link href="/fleet?range=30d#adoption">Fleet</Link>}
        keepsActions
      >
        <AdoptionChart
          figures={figures}
          focus={number}
          height={140}
          sentence={adoptionSentence(atEnd(figures), number)}
        />
        <AdoptionLegend figures={atEnd(figures)} focus={number} className="mt-2" />
      </Section>
    </>
  );
}

function WorsenedApps({ apps }: Readonly<{ apps: readonly Worsened[] }>) {
  if (apps.length === 0) return null;
  return (
    <Notice title={`Since this release, head units reject more calls of ${plural(apps.length, "app")}`}>
      <ul>
        {apps.map(({ uuid, name, before, since }) => (
          <li key={uuid}>
            <Link href={`/applications/${encodeURIComponent(uuid)}?tab=fleet`}>{name ?? uuid}</Link>
            {`: ${since.toFixed(2)} rejected calls per report, ${before.toFixed(2)} before`}
          </li>
        ))}
      </ul>
    </Notice>
  );
}
