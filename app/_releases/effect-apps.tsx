import { ChevronRight } from "lucide-react";
import { useState } from "react";
import { cn } from "@/app/_components/ui/cn";
import { partOnDemand } from "@/app/_components/overlay/on-demand";
import type { ReleaseEffectJson } from "@/lib/content/releases/answer-schema";
import { formatNumber } from "@/lib/labels/format-number";
import { describeBytes, describeGrowth } from "./labels";

const AppEffect = partOnDemand(() => import("./app-effect").then((m) => m.AppEffect), "m-4 h-16");

/** How many are named before the reader asks for more. */
const few = 5;

/** The apps whose entries change, each with what becomes of it on demand (L7). */
export function EffectApps({
  effect: { apps, apps_changed: count },
  pathOf,
}: Readonly<{
  effect: ReleaseEffectJson;
  /** The route that tells what becomes of one app; null: none does. */
  pathOf: ((uuid: string) => string) | null;
}>) {
  const [isLong, setIsLong] = useState(false);
  const [open, setOpen] = useState<string | null>(null);
  if (apps.length === 0) return null;
  const shown = isLong ? apps : apps.slice(0, few);
  const rest = count - apps.length;
  return (
    <div className="@container border-t border-line">
      {/* Side by side where there is room: a long list needs no tall box. */}
      <ul className="-mb-px grid max-h-96 grid-cols-1 overflow-y-auto text-table @2xl:grid-cols-2 @5xl:grid-cols-3">
        {shown.map(({ uuid, name }) => {
          const isOpen = open === uuid;
          return (
            <li key={uuid} className={cn("min-w-0 border-b border-line", isOpen && "col-span-full")}>
              {pathOf === null ? (
                <span className="block px-4 py-1.5">{name}</span>
              ) : (
                <button
                  type="button"
                  aria-expanded={isOpen}
                  onClick={() => setOpen(isOpen ? null : uuid)}
                  className="flex w-full items-center gap-1.5 px-4 py-1.5 text-left -outline-offset-2 hover:bg-hover pointer-coarse:min-h-11"
                >
                  <ChevronRight aria-hidden="true" className={cn("size-3.5 shrink-0", isOpen && "rotate-90")} />
                  <span className="wrap-anywhere">{name}</span>
                </button>
              )}
              {isOpen && pathOf !== null && <AppEffect path={pathOf(uuid)} />}
            </li>
          );
        })}
      </ul>
      {apps.length > few && (
        <button
          type="button"
          aria-expanded={isLong}
          onClick={() => setIsLong(!isLong)}
          className="w-full border-t border-line px-4 py-1.5 text-left text-table text-link hover:underline pointer-coarse:min-h-11"
        >
          {isLong ? "Show fewer" : `Show ${formatNumber(apps.length - few)} more`}
        </button>
      )}
      {isLong && rest > 0 && (
        <p className="border-t border-line px-4 py-1.5 text-table text-muted">{`And ${formatNumber(rest)} more apps.`}</p>
      )}
    </div>
  );
}

/** The size of the table for a vehicle without apps, before and after (L7). */
export function EffectSize({ bytes }: Readonly<{ bytes: ReleaseEffectJson["bytes"] }>) {
  return (
    <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-0.5 text-table tabular-nums">
      {(["plain", "gzip"] as const).map((kind) => {
        const { before, after } = bytes[kind];
        const growth = describeGrowth(before, after);
        return (
          <div key={kind} className="contents">
            <dt className="text-muted">{kind === "plain" ? "Table without apps" : "Compressed"}</dt>
            <dd>
              {growth === null ? (
                `${describeBytes(before)}, unchanged`
              ) : (
                <>
                  {describeBytes(before)} → {describeBytes(after)} <span className="text-muted">({growth})</span>
                </>
              )}
            </dd>
          </div>
        );
      })}
    </dl>
  );
}
