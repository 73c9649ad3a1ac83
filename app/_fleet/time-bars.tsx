import { scaleBand } from "d3-scale";
import { TimeChart } from "@/app/_fleet/time-chart";
import { compactText } from "@/app/_fleet/count";

export interface BarSeries {
  readonly name: string;
  readonly className: string;
  readonly values: readonly number[];
}

/** Bars over time, of which each stacks what its series have in that step. */
export function TimeBars({
  sentence,
  steps,
  series,
  titleOf,
  height,
}: Readonly<{
  sentence: string;
  steps: readonly string[];
  /** From the bottom up. */
  series: readonly BarSeries[];
  titleOf: (at: number) => string;
  height?: number;
}>) {
  const x = scaleBand(steps, [0, 100]).padding(0.18);
  const sums = steps.map((_, at) => series.reduce((sum, { values }) => sum + (values[at] ?? 0), 0));
  return (
    <TimeChart
      sentence={sentence}
      steps={steps}
      max={Math.max(...sums, 1)}
      label={compactText}
      {...(height !== undefined && { height })}
    >
      {(area) =>
        steps.map((step, at) => {
          let below = 0;
          const left = x(step) ?? 0;
          return (
            <g key={step}>
              <title>{titleOf(at)}</title>
              <rect x={left} width={x.bandwidth()} height={area.height} className="fill-transparent" />
              {series.map(({ name, className, values }) => {
                const value = values[at] ?? 0;
                const [bottom, top] = [area.y(below), area.y(below + value)];
                below += value;
                return value === 0 ? null : (
                  <rect key={name} x={left} width={x.bandwidth()} y={top} height={bottom - top} className={className} />
                );
              })}
            </g>
          );
        })
      }
    </TimeChart>
  );
}
