import { Fold } from "@/app/_components/ui/outline/fold";
import { toldKinds } from "@/app/_fleet/answer-kinds";
import { Count, countText, countWords } from "@/app/_fleet/count";
import { TimeBars } from "@/app/_fleet/time-bars";
import { Legend, stepText } from "@/app/_fleet/time-chart";
import type { AnsweredFigures } from "@/lib/fleet/figures/answer-schema";
import { ChartSection } from "./chart-section";
import { StepTable } from "./step-table";

export function RequestsSection({
  figures,
  csvHref,
  rangeText,
}: Readonly<{ figures: AnsweredFigures; csvHref: string; rangeText: string }>) {
  const { steps, total, step } = figures;
  const isPart = figures.software !== null || figures.country !== null;
  const kinds = toldKinds(figures).filter(({ kind }) => !isPart || total[kind] !== null);
  return (
    <ChartSection
      id="requests"
      title="Requests"
      description={
        isPart
          ? "Requests that got a policy table. Which vehicles were refused is not known by software or country."
          : "Answers to vehicles, by kind."
      }
      share={isPart ? figures.share : null}
      csvHref={csvHref}
    >
      <p className="mb-2">
        <span className="text-xl font-semibold tabular-nums">{countText(total.table)}</span>{" "}
        <span className="text-table text-muted">policy tables in {rangeText}</span>
      </p>
      <TimeBars
        sentence={`Requests in ${rangeText}: ${kinds
          .map(({ kind, name }) => `${name.toLowerCase()} ${countText(total[kind])}`)
          .join(", ")}.`}
        steps={steps.map(({ at }) => at)}
        series={kinds.map(({ kind, name, className }) => ({
          name,
          className,
          values: steps.map((one) => one[kind] ?? 0),
        }))}
        titleOf={(at) => {
          const one = steps[at];
          if (one === undefined) return "";
          return `${stepText(one.at, step)}: ${countWords(one.table, "policy table")}, ${countText(one.refused)} refused`;
        }}
      />
      <Legend
        className="mt-2"
        entries={kinds.map(({ kind, name, className }) => ({ name, className, value: countText(total[kind]) }))}
      />
      <div className="mt-3">
        <Fold title="Table of requests">
          <StepTable
            label="Requests"
            titles={[step === "hour" ? "Hour (UTC)" : "Day (UTC)", ...kinds.map(({ name }) => name)]}
          >
            {steps.map((one) => (
              <tr key={one.at}>
                <td className="px-4 py-1 whitespace-nowrap">{stepText(one.at, step)}</td>
                {kinds.map(({ kind }) => (
                  <td key={kind} className="px-4 py-1 tabular-nums">
                    <Count value={one[kind]} />
                  </td>
                ))}
              </tr>
            ))}
          </StepTable>
        </Fold>
      </div>
    </ChartSection>
  );
}
