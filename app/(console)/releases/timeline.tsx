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
import { kindLabels } from "@/app/_releases/labels";
import type { ReleaseOutlineJson } from "@/lib/content/releases/answer-schema";
import { type ReleaseKind, releaseKinds } from "@/lib/labels/release-items";
import { plural } from "@/lib/labels/format-number";

const width = 960;
const height = 150;
const margin = { top: 16, right: 24, bottom: 26, left: 24 };
const ground = height - margin.bottom;
const markArea = 90;
const dayMs = 86_400_000;

/** Kinds are told apart by shape and colour. */
const looks: Readonly<Record<ReleaseKind, { readonly shape: SymbolType; readonly className: string }>> = {
  release: { shape: symbolCircle, className: "fill-accent" },
  direct: { shape: symbolDiamond, className: "fill-tile-teal" },
  return: { shape: symbolTriangle, className: "fill-tile-rose" },
  import: { shape: symbolWye, className: "fill-tile-violet" },
  first: { shape: symbolSquare, className: "fill-tile-slate" },
};
const pathOf = (kind: ReleaseKind) => symbol(looks[kind].shape, markArea)() ?? "";

/** The releases of the page over time: the more items, the higher. The table beside it says the same in words. */
export function Timeline({ releases, now }: Readonly<{ releases: readonly ReleaseOutlineJson[]; now: number }>) {
  const [newest, oldest] = [releases[0], releases.at(-1)];
  if (newest === undefined || oldest === undefined) return null;
  const from = Math.min(Date.parse(oldest.at), now - dayMs);
  const x = scaleUtc([new Date(from), new Date(now)], [margin.left, width - margin.right]);
  const most = Math.max(...releases.map(({ item_count: count }) => count), 1);
  const y = scaleSqrt([0, most], [ground - 14, margin.top]);
  const format = x.tickFormat(6);
  const kinds = releaseKinds.filter((kind) => releases.some((release) => release.kind === kind));
  return (
    <figure className="mb-4 rounded-card border border-line bg-surface">
      <div
        role="region"
        aria-label="Timeline of releases"
        tabIndex={0}
        className="overflow-x-auto rounded-card px-2 pt-2 -outline-offset-2"
      >
        <svg
          viewBox={`0 0 ${width} ${height}`}
          aria-hidden="true"
          className="mx-auto block w-full max-w-[72rem] min-w-[40rem]"
        >
          <line
            x1={margin.left}
            x2={width - margin.right}
            y1={ground}
            y2={ground}
            className="stroke-edge"
            strokeWidth={1}
          />
          {x.ticks(6).map((tick) => (
            <g key={tick.getTime()} transform={`translate(${x(tick).toFixed(1)} ${ground})`}>
              <line y2={5} className="stroke-edge" />
              <text y={18} textAnchor="middle" className="fill-muted text-[11px]">
                {format(tick)}
              </text>
            </g>
          ))}
          {releases.toReversed().map((release) => (
            <Mark key={release.number} release={release} x={x(new Date(release.at))} y={y(release.item_count)} />
          ))}
        </svg>
      </div>
      <figcaption className="flex flex-wrap gap-x-4 gap-y-1 border-t border-line px-4 py-2 text-xs text-muted">
        {kinds.map((kind) => (
          <span key={kind} className="inline-flex items-center gap-1.5">
            <svg viewBox="-8 -8 16 16" aria-hidden="true" className="size-3.5">
              <path d={pathOf(kind)} className={looks[kind].className} />
            </svg>
            {kindLabels[kind]}
          </span>
        ))}
        <span className="ml-auto">Height shows the number of items · times in UTC</span>
      </figcaption>
    </figure>
  );
}

function Mark({ release, x, y }: Readonly<{ release: ReleaseOutlineJson; x: number; y: number }>) {
  const { number, kind, name, item_count: count } = release;
  return (
    <a href={`/releases/${number}`} tabIndex={-1}>
      <title>{`#${number} ${name ?? kindLabels[kind]}: ${plural(count, "item")}`}</title>
      <line x1={x.toFixed(1)} x2={x.toFixed(1)} y1={ground} y2={y.toFixed(1)} className="stroke-edge" />
      <path
        d={pathOf(kind)}
        transform={`translate(${x.toFixed(1)} ${y.toFixed(1)})`}
        className={`${looks[kind].className} stroke-surface`}
        strokeWidth={1.5}
      />
    </a>
  );
}
