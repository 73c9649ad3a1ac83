import { scaleSqrt, scaleUtc } from "d3-scale";
import {
  symbol,
  symbolCircle,
  symbolDiamond,
  symbolSquare,
  symbolTriangle,
  symbolWye,
  type SymbolType,
} from "d3-shape";
import { cn } from "@/app/_components/ui/cn";
import type { ReleaseOutlineJson, ScheduledReleaseJson } from "@/lib/releases/answer-schema";
import { kindLabels, type ReleaseKind, releaseKinds } from "@/lib/vocabulary/release-items";
import { plural } from "@/lib/vocabulary/format-number";

/** Must be readable, so it is wider than a phone; there it scrolls, starting at the newest end. */
const sizes = {
  page: { width: 960, height: 150, className: "max-w-[72rem] min-w-[60rem] print:min-w-0" },
  card: { width: 640, height: 96, className: "min-w-[36rem] print:min-w-0" },
} as const;
const margin = { top: 20, side: 24, bottom: 26 };
/** With fewer releases, or all of one day, the list says as much. */
const fewestMarks = 5;
const dayMs = 86_400_000;
const markArea = 90;

type Kind = ReleaseKind | ScheduledReleaseJson["state"];

/** Kinds differ in shape and colour; releases not in production are hollow. */
const looks: Readonly<
  Record<Kind, { readonly label: string; readonly shape: SymbolType; readonly className: string }>
> = {
  release: { label: kindLabels.release, shape: symbolCircle, className: "fill-accent stroke-surface" },
  direct: { label: kindLabels.direct, shape: symbolDiamond, className: "fill-tile-teal stroke-surface" },
  return: { label: kindLabels.return, shape: symbolTriangle, className: "fill-tile-rose stroke-surface" },
  import: { label: kindLabels.import, shape: symbolWye, className: "fill-tile-violet stroke-surface" },
  first: { label: kindLabels.first, shape: symbolSquare, className: "fill-tile-slate stroke-surface" },
  waiting: { label: "Scheduled", shape: symbolCircle, className: "fill-surface stroke-accent" },
  stopped: { label: "Scheduled, stopped", shape: symbolTriangle, className: "fill-surface stroke-bad" },
};
const kinds: readonly Kind[] = [...releaseKinds, "waiting", "stopped"];
const pathOf = (kind: Kind) => symbol(looks[kind].shape, markArea)() ?? "";

interface Mark {
  readonly kind: Kind;
  readonly at: number;
  readonly count: number;
  readonly name: string;
  readonly href: string;
}

/** Releases and scheduled releases over time: the more items, the higher. The text beside it has the same data. */
export function Timeline({
  releases,
  scheduled,
  now,
  size = "page",
}: Readonly<{
  releases: readonly ReleaseOutlineJson[];
  scheduled: readonly ScheduledReleaseJson[];
  now: number;
  size?: keyof typeof sizes;
}>) {
  const marks = [...scheduled.map(toScheduledMark), ...releases.map(toMark)].toSorted((a, b) => a.at - b.at);
  const times = [now, ...marks.map(({ at }) => at)];
  const [first, last] = [Math.min(...times), Math.max(...times)];
  if (marks.length < fewestMarks || last - first < dayMs) return null;
  const { width, height, className } = sizes[size];
  const ground = height - margin.bottom;
  const edge = (last - first) / 20;
  const x = scaleUtc([new Date(first - edge), new Date(last + edge)], [margin.side, width - margin.side]);
  const y = scaleSqrt([0, Math.max(...marks.map(({ count }) => count), 1)], [ground - 14, margin.top]);
  const formatDay = x.tickFormat(6);
  const isMidnight = (tick: Date) => tick.getTime() % dayMs === 0;
  const format = (tick: Date) => (isMidnight(tick) ? formatDay(tick) : tick.toISOString().slice(11, 16));
  return (
    <figure className={cn(size === "page" && "mb-4 rounded-card border border-line bg-surface")}>
      <div
        role="region"
        aria-label="Timeline of releases"
        tabIndex={0}
        className="overflow-x-auto rounded-card px-2 pt-2 -outline-offset-2 [direction:rtl]"
      >
        <svg
          viewBox={`0 0 ${width} ${height}`}
          aria-hidden="true"
          className={cn("mx-auto block w-full [direction:ltr]", className)}
        >
          <line x1={margin.side} x2={width - margin.side} y1={ground} y2={ground} className="stroke-edge" />
          {x.ticks(6).map((tick) => (
            <g key={tick.getTime()} transform={`translate(${x(tick).toFixed(1)} ${ground})`}>
              <line y2={5} className="stroke-edge" />
              <text y={18} textAnchor="middle" className="fill-muted text-[11px]">
                {format(tick)}
              </text>
            </g>
          ))}
          <g transform={`translate(${x(new Date(now)).toFixed(1)} 0)`}>
            <line y1={14} y2={ground} className="stroke-edge" strokeDasharray="3 3" />
            <text y={10} textAnchor="middle" className="fill-muted text-[11px]">
              Now
            </text>
          </g>
          {marks.map((mark) => (
            <MarkLink
              key={`${mark.href} ${mark.at} ${mark.name}`}
              mark={mark}
              ground={ground}
              x={x(new Date(mark.at))}
              y={y(mark.count)}
            />
          ))}
        </svg>
      </div>
      <figcaption className="flex flex-wrap gap-x-4 gap-y-1 border-t border-line px-4 py-2 text-xs text-muted">
        {kinds
          .filter((kind) => marks.some((mark) => mark.kind === kind))
          .map((kind) => (
            <span key={kind} className="inline-flex items-center gap-1.5">
              <svg viewBox="-8 -8 16 16" aria-hidden="true" className="size-3.5">
                <path d={pathOf(kind)} className={looks[kind].className} strokeWidth={1.5} />
              </svg>
              {looks[kind].label}
            </span>
          ))}
        {size === "page" && <span className="ml-auto">Height shows the number of changes · times in UTC</span>}
      </figcaption>
    </figure>
  );
}

function toMark({ number, kind, name, item_count: count, at }: ReleaseOutlineJson): Mark {
  return {
    kind,
    count,
    at: Date.parse(at),
    name: `#${number} ${name ?? kindLabels[kind]}`,
    href: `/releases/${number}`,
  };
}

function toScheduledMark({ state, name, items, at }: ScheduledReleaseJson): Mark {
  const label = `${looks[state].label}${name === null ? "" : `: ${name}`}`;
  return { kind: state, count: items.length, at: Date.parse(at), name: label, href: "/releases#scheduled" };
}

function MarkLink({ mark, ground, x, y }: Readonly<{ mark: Mark; ground: number; x: number; y: number }>) {
  const { kind, name, count, href } = mark;
  return (
    <a href={href} tabIndex={-1}>
      <title>{`${name}: ${plural(count, "change")}`}</title>
      <line x1={x.toFixed(1)} x2={x.toFixed(1)} y1={ground} y2={y.toFixed(1)} className="stroke-edge" />
      <path
        d={pathOf(kind)}
        transform={`translate(${x.toFixed(1)} ${y.toFixed(1)})`}
        className={looks[kind].className}
        strokeWidth={1.5}
      />
    </a>
  );
}
