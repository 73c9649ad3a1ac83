import { scaleLinear, scaleUtc } from "d3-scale";
import type { ReactNode } from "react";
import { cn } from "@/app/_components/ui/cn";

const dayMs = 86_400_000;
const top = 8;
const axis = 22;
const tickCount = 4;
/** In percent: closer to an edge, a label would be cut off. */
const edge = 5;

export interface PlotArea {
  readonly height: number;
  /** The vertical place of a value, in pixels from the top. */
  readonly y: (value: number) => number;
}

/**
 * The axes of a chart over time. The plot stretches to the width of its box and texts do not, so both fit a phone: inside,
 * 100 units are the width, and pixels the height.
 */
export function TimeChart({
  sentence,
  steps,
  max,
  height = 200,
  label,
  isFilled = false,
  children,
}: Readonly<{
  /** What the picture shows, for screen readers. */
  sentence: string;
  /** The beginnings of the steps, ISO 8601. */
  steps: readonly string[];
  max: number;
  height?: number;
  label: (value: number) => string;
  /** The greatest value is the end of the axis. */
  isFilled?: boolean;
  children: (area: PlotArea) => ReactNode;
}>) {
  const times = steps.map((at) => Date.parse(at));
  const [first = 0, last = 0] = [times[0], times.at(-1)];
  const stepMs = (times[1] ?? first + dayMs) - first;
  const x = scaleUtc([new Date(first), new Date(last + stepMs)], [0, 100]);
  const plot = height - axis;
  const scale = scaleLinear([0, Math.max(1, max)], [plot, top]);
  if (!isFilled) scale.nice(3);
  const ticks = scale.ticks(3).filter((tick) => Number.isInteger(tick) || isFilled);
  return (
    <div role="img" aria-label={sentence} className="flex">
      <svg aria-hidden="true" height={height} className="w-11 shrink-0">
        {ticks.map((tick) => (
          <text key={tick} x="100%" dx={-6} y={scale(tick) + 4} textAnchor="end" className="fill-muted text-[11px]">
            {label(tick)}
          </text>
        ))}
      </svg>
      <svg aria-hidden="true" height={height} className="w-0 min-w-0 grow">
        {ticks.map((tick) => (
          <line
            key={tick}
            x2="100%"
            y1={scale(tick)}
            y2={scale(tick)}
            className={tick === 0 ? "stroke-edge" : "stroke-line"}
          />
        ))}
        <svg width="100%" height={plot} viewBox={`0 0 100 ${plot}`} preserveAspectRatio="none">
          {children({ height: plot, y: scale })}
        </svg>
        {x.ticks(tickCount).map((tick) => {
          const place = x(tick);
          if (place > 100 - edge / 2) return null;
          return (
            <g key={tick.getTime()}>
              <line x1={`${place}%`} x2={`${place}%`} y1={plot} y2={plot + 4} className="stroke-edge" />
              <text
                x={`${place}%`}
                y={height - 4}
                textAnchor={place < edge ? "start" : place > 100 - edge ? "end" : "middle"}
                className="fill-muted text-[11px]"
              >
                {tick.getTime() % dayMs === 0 ? dayText(tick) : tick.toISOString().slice(11, 16)}
              </text>
            </g>
          );
        })}
      </svg>
    </div>
  );
}

const days = new Intl.DateTimeFormat("en", { day: "numeric", month: "short", timeZone: "UTC" });
export const dayText = (at: Date): string => days.format(at);

/** "Mar 3", or of an hour "Mar 3, 14:00". */
export function stepText(at: string, step: "hour" | "day"): string {
  const day = dayText(new Date(at));
  return step === "day" ? day : `${day}, ${at.slice(11, 16)}`;
}

export function Legend({
  entries,
  className,
}: Readonly<{
  entries: readonly { readonly name: ReactNode; readonly className: string; readonly value?: string }[];
  className?: string;
}>) {
  return (
    <ul className={cn("flex flex-wrap gap-x-4 gap-y-1 text-xs text-muted", className)}>
      {entries.map(({ name, className: fill, value }, at) => (
        // Names may be links, and the order is that of the picture.
        // oxlint-disable-next-line react/no-array-index-key
        <li key={at} className="inline-flex items-center gap-1.5">
          <svg viewBox="0 0 10 10" aria-hidden="true" className="size-2.5 shrink-0">
            <rect width={10} height={10} rx={2} className={fill} />
          </svg>
          {name}
          {value !== undefined && <span className="text-text tabular-nums">{value}</span>}
        </li>
      ))}
    </ul>
  );
}
