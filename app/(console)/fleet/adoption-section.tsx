import { Fold } from "@/app/_components/ui/outline/fold";
import { atEnd, AdoptionChart, AdoptionLegend, adoptionSentence, listBands } from "@/app/_fleet/adoption-chart";
import { countText, shareText } from "@/app/_fleet/count";
import { stepText } from "@/app/_fleet/time-chart";
import type { AdoptionFigures } from "@/lib/fleet/figures/answer-schema";
import { ChartSection } from "./chart-section";
import { StepTable } from "./step-table";

export function AdoptionSection({ figures, csvHref }: Readonly<{ figures: AdoptionFigures; csvHref: string }>) {
  const { steps, step, share } = figures;
  const bands = listBands(figures);
  const now = atEnd(figures);
  return (
    <ChartSection
      id="adoption"
      title="Adoption"
      description="Which release vehicles had when they asked."
      share={share}
      csvHref={csvHref}
    >
      {bands.length === 0 ? (
        <p className="text-table text-muted">No release was told in this time.</p>
      ) : (
        <>
          <Newest figures={now} />
          <AdoptionChart figures={figures} sentence={adoptionSentence(now)} />
          <AdoptionLegend figures={now} className="mt-2" />
          <div className="mt-3">
            <Fold title="Table of adoption">
              <StepTable
                label="Adoption"
                titles={[step === "hour" ? "Hour (UTC)" : "Day (UTC)", ...bands.map(({ label }) => label)]}
              >
                {steps.map(({ at, releases }) => (
                  <tr key={at}>
                    <td className="px-4 py-1 whitespace-nowrap">{stepText(at, step)}</td>
                    {bands.map(({ key, includes }) => {
                      const told = releases.filter(({ release }) => includes(release)).map(({ count }) => count);
                      const sum = told.reduce<number>((all, count) => all + (count ?? 0), 0);
                      return (
                        <td key={key} className="px-4 py-1 whitespace-nowrap tabular-nums">
                          {countText(sum === 0 && told.includes(null) ? null : sum)}
                        </td>
                      );
                    })}
                  </tr>
                ))}
              </StepTable>
            </Fold>
          </div>
        </>
      )}
    </ChartSection>
  );
}

function Newest({ figures }: Readonly<{ figures: AdoptionFigures }>) {
  const newest = listBands(figures).find(({ release }) => release !== null);
  if (newest === undefined) return null;
  return (
    <p className="mb-2">
      <span className="text-xl font-semibold tabular-nums">{shareText(newest.share)}</span>{" "}
      <span className="text-table text-muted">{`have ${newest.label}, the newest, in the last ${figures.step}`}</span>
    </p>
  );
}
