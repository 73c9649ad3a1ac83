import { scaleLinear } from "d3-scale";
import { area, stack, stackOffsetExpand } from "d3-shape";
import { Link } from "@/app/_components/ui/link";
import { shareText } from "@/app/_fleet/count";
import { Legend, TimeChart } from "@/app/_fleet/time-chart";
import type { AdoptionFigures } from "@/lib/fleet/figures/answer-schema";

const looks = ["fill-chart-1", "fill-chart-2", "fill-chart-3", "fill-chart-4", "fill-chart-5"] as const;
const earlierLook = "fill-chart-rest";
const unknownLook = "fill-edge";

export interface AdoptionBand {
  readonly key: string;
  readonly label: string;
  /** Null: several releases, or none that is known. */
  readonly release: number | null;
  readonly className: string;
  readonly includes: (release: number | null) => boolean;
  readonly share: number | null;
}

type Outline = Omit<AdoptionBand, "share">;

/** The last step in which a release is told, as if it were all: what vehicles have now. */
export function atEnd(figures: AdoptionFigures): AdoptionFigures {
  const last = figures.steps.findLast(({ releases }) => releases.some(({ count }) => (count ?? 0) > 0));
  if (last === undefined) return figures;
  const whole = last.releases.reduce((sum, { count }) => sum + (count ?? 0), 0);
  const releases = figures.releases.map(({ release }) => {
    const count = last.releases.find((one) => one.release === release)?.count ?? null;
    return { release, count, share: count === null ? null : count / whole };
  });
  return { ...figures, releases };
}

/**
 * The newest releases each, the earlier ones together, and what is unknown.
 *
 * @param focus only this release, those after it together, and those before it
 */
export function listBands({ releases }: Pick<AdoptionFigures, "releases">, focus?: number): AdoptionBand[] {
  const known = releases.flatMap(({ release }) => release ?? []);
  const bands = focus === undefined ? listNewest(known) : listAround(focus);
  const unknown: Outline = {
    ...{ key: "unknown", label: "Unknown", release: null, className: unknownLook },
    includes: (release) => release === null,
  };
  return [...bands, unknown].flatMap((band) => {
    const told = releases.filter(({ release }) => band.includes(release));
    if (told.length === 0) return [];
    const hasShare = told.some(({ share }) => share !== null);
    return [{ ...band, share: hasShare ? told.reduce((sum, { share }) => sum + (share ?? 0), 0) : null }];
  });
}

export const listTold = (figures: Pick<AdoptionFigures, "releases">, focus?: number) =>
  listBands(figures, focus).filter(({ share }) => share !== null);

function listNewest(known: readonly number[]): Outline[] {
  const oldest = known[looks.length - 1] ?? 0;
  const shown = known.slice(0, looks.length).map((number, at): Outline => {
    return {
      ...{ key: String(number), label: `#${number}`, release: number, className: looks[at] ?? earlierLook },
      includes: (release) => release === number,
    };
  });
  return [...shown, earlierThan(oldest)];
}

function listAround(focus: number): Outline[] {
  return [
    {
      ...{ key: "later", label: "Later releases", release: null, className: looks[1] },
      includes: (release) => release !== null && release > focus,
    },
    {
      ...{ key: String(focus), label: `#${focus}`, release: focus, className: looks[0] },
      includes: (release) => release === focus,
    },
    earlierThan(focus),
  ];
}

const earlierThan = (number: number): Outline => ({
  ...{ key: "earlier", label: "Earlier", release: null, className: earlierLook },
  includes: (release) => release !== null && release < number,
});

const isTold = ({ count }: { readonly count: number | null }) => (count ?? 0) > 0;

/** How releases replace one another: shares of each step's requests, stacked. */
export function AdoptionChart({
  figures,
  sentence,
  focus,
  height,
}: Readonly<{ figures: AdoptionFigures; sentence: string; focus?: number; height?: number }>) {
  const { steps } = figures;
  const bands = listBands(figures, focus);
  const told = steps.map(({ releases }, at) => ({ releases, at })).filter(({ releases }) => releases.some(isTold));
  const points = told.map(({ releases }) => (key: string) => {
    const includes = bands.find((band) => band.key === key)?.includes ?? (() => false);
    return releases.reduce((sum, { release, count }) => sum + (includes(release) ? (count ?? 0) : 0), 0);
  });
  const stacked = stack<(typeof points)[number], string>()
    .keys([...bands].reverse().map(({ key }) => key))
    .value((point, key) => point(key))
    .offset(stackOffsetExpand)(points);
  const wide = Math.max(1, steps.length - 1);
  return (
    <TimeChart
      sentence={sentence}
      steps={steps.map(({ at }) => at)}
      max={1}
      isFilled
      label={shareText}
      {...(height !== undefined && { height })}
    >
      {({ y }) => {
        // Over steps without requests, areas go on straight.
        const path = area<readonly [number, number]>()
          .x((_, place) => ((told[place]?.at ?? 0) / wide) * 100)
          .y0(([from]) => y(from))
          .y1(([, to]) => y(to));
        return stacked.map((layer) => {
          const band = bands.find(({ key }) => key === layer.key);
          return (
            <path
              key={layer.key}
              d={path(layer.map(([from, to]) => [from, to] as const)) ?? ""}
              className={`${band?.className ?? ""} stroke-surface`}
              strokeWidth={1}
              vectorEffect="non-scaling-stroke"
            >
              <title>{`${band?.label ?? ""}: ${shareText(band?.share ?? null)}`}</title>
            </path>
          );
        });
      }}
    </TimeChart>
  );
}

export function AdoptionLegend({
  figures,
  focus,
  className,
}: Readonly<{ figures: AdoptionFigures; focus?: number; className?: string }>) {
  return (
    <Legend
      {...(className !== undefined && { className })}
      entries={listTold(figures, focus).map(({ label, release, className: fill, share }) => ({
        name: release === null || release === focus ? label : <Link href={`/releases/${release}`}>{label}</Link>,
        className: fill,
        value: shareText(share),
      }))}
    />
  );
}

/** One bar of a width of 100 %: how the requests of a time divide. */
export function AdoptionBar({ figures, sentence }: Readonly<{ figures: AdoptionFigures; sentence: string }>) {
  const bands = listTold(figures);
  const sumOf = (some: readonly AdoptionBand[]) => some.reduce((sum, { share }) => sum + (share ?? 0), 0);
  const scale = scaleLinear([0, sumOf(bands) || 1], [0, 100]);
  return (
    <div role="img" aria-label={sentence} className="overflow-hidden rounded-[3px]">
      <svg aria-hidden="true" viewBox="0 0 100 12" preserveAspectRatio="none" className="block h-3 w-full">
        {bands.map(({ key, className, share }, at) => (
          <rect
            key={key}
            x={scale(sumOf(bands.slice(0, at)))}
            // A gap tells neighbors apart.
            width={Math.max(0, scale(share ?? 0) - 0.4)}
            height={12}
            className={className}
          />
        ))}
      </svg>
    </div>
  );
}

/** "Requests by the release that the vehicle had: #6 71 %, #5 18 %." */
export function adoptionSentence(figures: Pick<AdoptionFigures, "releases">, focus?: number): string {
  const known = listTold(figures, focus);
  if (known.length === 0) return "Too few requests to tell how releases divide.";
  const parts = known.slice(0, 4).map(({ label, share }) => `${label} ${shareText(share)}`);
  return `Requests by the release that the vehicle had: ${parts.join(", ")}.`;
}
