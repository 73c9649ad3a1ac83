import { ChevronRight } from "lucide-react";
import { useState } from "react";
import useSWR from "swr";
import { usePrinting } from "@/app/_components/hooks/use-printing";
import { changeSigns } from "@/app/_components/diff/change-sign";
import { cn } from "@/app/_components/ui/cn";
import { partOnDemand } from "@/app/_components/overlay/on-demand";
import { Breakable } from "@/app/_components/ui/breakable";
import { Problem } from "@/app/_components/feedback/problem";
import { Skeleton } from "@/app/_components/ui/skeleton";
import type {
  AppsEffect,
  ChangedAppsAnswer,
  ReleaseEffectAppJson,
  ReleaseEffectJson,
} from "@/lib/releases/answer-schema";
import { lossWords } from "@/lib/releases/describe-effect";
import { capital, formatNumber, listSome, plural } from "@/lib/vocabulary/format-number";
import { areaNames, type RiskKind } from "@/lib/vocabulary/risk";
import { describeBytes, describeGrowth } from "./labels";
import { describeRest } from "./long-list";
import { readReview } from "./publication";

const AppEffect = partOnDemand(() => import("./app-effect").then((m) => m.AppEffect), "m-4 h-16");

/** Where more about the effect is. */
export interface EffectPaths {
  /** The route with the effect on one app; null: none, as for a decision, which changes only its own app. */
  readonly pathOf: ((uuid: string) => string) | null;
  /** The route with the changed apps after this number of them; left out if there is none. */
  readonly morePathOf?: (from: number) => string;
}

/** Number of apps rendered before the reader asks for more. */
const few = 10;

const areaTitles: Readonly<Record<RiskKind, string>> = {
  location: "Location",
  driver: "Driver, VIN",
  vehicle: "Vehicle data",
  control: "Remote control",
  microphone: "Microphone",
  other: "Other",
};

/** The apps that change: gains and losses by area, and new consent prompts; more on demand (L7). */
export function EffectApps({
  effect: { apps, apps_changed: count, apps_asked: asked, areas },
  pathOf,
  morePathOf,
}: Readonly<EffectPaths & { effect: AppsEffect }>) {
  const [isUnfolded, setIsUnfolded] = useState(false);
  const isLong = usePrinting() || isUnfolded;
  // Each part has as many apps as the effect lists, which is all that one answer may have.
  const [parts, setParts] = useState(0);
  if (apps.length === 0) return null;
  const shown = areas.filter(({ gained, lost }) => gained + lost > 0);
  const rest = Math.max(0, count - apps.length * (1 + parts));
  const columns = { areas: shown.map(({ area }) => area), isAsking: asked > 0, pathOf };
  return (
    <div className="@container">
      <div className={cn(isLong && "max-h-128 overflow-y-auto")}>
        <table className="block w-full text-left text-table @xl:table">
          <caption className="sr-only">Apps that change</caption>
          <thead className="sticky top-0 z-1 hidden bg-surface text-xs text-muted shadow-[inset_0_-1px] shadow-line @xl:table-header-group">
            <tr>
              <th scope="col" className="py-1.5 pl-4 font-medium">
                App
              </th>
              {shown.map(({ area, gained, lost }) => (
                <th key={area} scope="col" className="px-2 py-1.5 font-medium">
                  {areaTitles[area]}
                  {count > 1 && (
                    <span className="block tabular-nums">
                      {lost > 0 && <span className="text-bad">{`−${formatNumber(lost)} `}</span>}
                      {gained > 0 && <span className="text-good">{`+${formatNumber(gained)}`}</span>}
                    </span>
                  )}
                </th>
              ))}
              {asked > 0 && (
                <th scope="col" className="px-2 py-1.5 font-medium">
                  Consent prompt
                  {count > 1 && <span className="block text-warn tabular-nums">{`?${formatNumber(asked)}`}</span>}
                </th>
              )}
            </tr>
          </thead>
          <tbody className="block divide-y divide-line @xl:table-row-group">
            {(isLong ? apps : apps.slice(0, few)).map((app) => (
              <AppRow key={app.uuid} app={app} {...columns} />
            ))}
            {isLong &&
              morePathOf &&
              Array.from({ length: parts }, (_, at) => (
                <MoreRows key={at} path={morePathOf(apps.length * (at + 1))} {...columns} />
              ))}
          </tbody>
        </table>
      </div>
      {isLong && rest > 0 && morePathOf && (
        <button type="button" onClick={() => setParts(parts + 1)} className={foldClass}>
          {describeRest(Math.min(rest, apps.length), rest)}
        </button>
      )}
      {apps.length > few && (
        <button type="button" aria-expanded={isLong} onClick={() => setIsUnfolded(!isUnfolded)} className={foldClass}>
          {isLong ? "Show fewer" : describeRest(apps.length - few, (morePathOf ? count : apps.length) - few)}
        </button>
      )}
    </div>
  );
}

const foldClass =
  "w-full border-t border-line px-4 py-1.5 text-left text-table text-link hover:underline pointer-coarse:min-h-11 print:hidden";

interface Columns extends Pick<EffectPaths, "pathOf"> {
  readonly areas: readonly RiskKind[];
  readonly isAsking: boolean;
}

const readApps = (path: string) => readReview(path) as Promise<ChangedAppsAnswer>;

/** Further apps that change, fetched on demand. */
function MoreRows({ path, ...columns }: Readonly<Columns & { path: string }>) {
  const { data, error } = useSWR<ChangedAppsAnswer, unknown>(path, readApps);
  if (data !== undefined) return data.apps.map((app) => <AppRow key={app.uuid} app={app} {...columns} />);
  return (
    <tr className="block @xl:table-row">
      <td colSpan={columns.areas.length + 2} className="block @xl:table-cell">
        {error === undefined ? <Skeleton className="m-4 h-16" /> : <Problem error={error} />}
      </td>
    </tr>
  );
}

function AppRow({
  app: { uuid, name, loss, areas: changes, rejected, prompts },
  areas,
  isAsking,
  pathOf,
}: Readonly<Columns & { app: ReleaseEffectAppJson }>) {
  const [isOpen, setIsOpen] = useState(false);
  const path = pathOf?.(uuid) ?? null;
  const rejectedCount = new Set(rejected.flatMap(({ rpcs }) => rpcs)).size;
  const cell = "align-top empty:hidden @xl:table-cell @xl:px-2 @xl:py-1.5 @xl:empty:table-cell";
  return (
    <>
      <tr className="flex flex-wrap items-center gap-x-2 gap-y-1 px-4 py-1.5 @xl:table-row">
        <th scope="row" className="basis-full font-normal @xl:py-1.5 @xl:pl-4">
          {path === null ? (
            <span className="wrap-anywhere">{name}</span>
          ) : (
            <button
              type="button"
              aria-expanded={isOpen}
              onClick={() => setIsOpen(!isOpen)}
              className="-ml-1 inline-flex min-h-6 items-center gap-1 rounded-control text-left hover:underline pointer-coarse:min-h-11"
            >
              <ChevronRight aria-hidden="true" className={cn("size-3.5 shrink-0", isOpen && "rotate-90")} />
              <span className="wrap-anywhere">{name}</span>
            </button>
          )}
          {loss !== null && <span className="ml-2 text-xs font-medium text-bad">{capital(lossWords[loss])}</span>}
          {rejected.length > 0 ? (
            <span className="ml-2 text-xs text-warn">{`Cars reject ${plural(rejectedCount, "call")}`}</span>
          ) : (
            changes.length + prompts.length === 0 && <span className="ml-2 text-xs text-muted">Same permissions</span>
          )}
        </th>
        {areas.map((area) => (
          <td key={area} className={cell}>
            {changes.flatMap((change) => (change.area === area ? <Mark key={change.kind} {...change} /> : []))}
          </td>
        ))}
        {isAsking && (
          <td className={cell}>{prompts.length > 0 && <Mark kind="asked" what={listSome(prompts, 2)} />}</td>
        )}
      </tr>
      {isOpen && path !== null && (
        <tr className="block @xl:table-row">
          <td colSpan={areas.length + 2} className="block @xl:table-cell">
            <AppEffect path={path} />
          </td>
        </tr>
      )}
    </>
  );
}

const marks = {
  lost: { ...changeSigns.lost, word: "Loses " },
  gained: { ...changeSigns.gained, word: "Gains " },
  asked: { ...changeSigns.changed, sign: "?", word: "New consent prompts: " },
} as const;

/** A sign and what it is about. Where the column is all of it, the table says only what happens. */
function Mark({ kind, what, area }: Readonly<{ kind: keyof typeof marks; what: string; area?: RiskKind }>) {
  const { sign, word, className } = marks[kind];
  const isColumn = area !== undefined && what === areaNames[area];
  return (
    <span
      className={cn(
        "mr-1 inline-flex max-w-full items-baseline gap-1 rounded-control border px-1.5 text-xs leading-5 font-medium @xl:max-w-56",
        className,
      )}
    >
      <span aria-hidden="true" className="font-mono">
        {sign}
      </span>
      <span className={cn("sr-only", isColumn && "@xl:not-sr-only")}>
        <span className="whitespace-nowrap">{word}</span>
      </span>
      <span className={cn("min-w-0", isColumn && "@xl:sr-only")}>
        <Breakable text={what} />
      </span>
    </span>
  );
}

/** The size of the table for a vehicle without apps, before and after (L7). */
export function EffectSize({ bytes }: Readonly<{ bytes: ReleaseEffectJson["bytes"] }>) {
  const changed = (["plain", "gzip"] as const).filter((kind) => bytes[kind].before !== bytes[kind].after);
  if (changed.length === 0) return null;
  return (
    <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-0.5 text-table tabular-nums">
      {changed.map((kind) => {
        const { before, after } = bytes[kind];
        return (
          <div key={kind} className="contents">
            <dt className="text-muted">{kind === "plain" ? "Table without apps" : "Compressed"}</dt>
            <dd>
              {describeBytes(before)} → {describeBytes(after)}{" "}
              <span className="text-muted">({describeGrowth(before, after)})</span>
            </dd>
          </div>
        );
      })}
    </dl>
  );
}
