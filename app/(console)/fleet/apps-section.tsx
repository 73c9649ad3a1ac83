import { Ban } from "lucide-react";
import type { ReactNode } from "react";
import { PlainTable } from "@/app/_components/list/table/plain-table";
import { Chip } from "@/app/_components/ui/chip";
import { Link } from "@/app/_components/ui/link";
import { Fold } from "@/app/_components/ui/outline/fold";
import { Count, shareText } from "@/app/_fleet/count";
import { ShareBar } from "@/app/_fleet/share-bar";
import { otherValue } from "@/lib/fleet/dimensions";
import type { AppFigures } from "@/lib/fleet/figures/answer-schema";
import { ChartSection } from "./chart-section";

const shownApps = 10;
const maxApps = 200;

type App = AppFigures["apps"][number];

/** Apps by how many requests name them, and with usage how they behave. */
export function AppsSection({
  figures,
  csvHref,
  usageNote,
}: Readonly<{ figures: AppFigures; csvHref: string; usageNote: ReactNode }>) {
  const { apps, share } = figures;
  const hasUsage = apps.some(({ usage }) => usage !== null);
  const most = (read: (app: App) => number | null | undefined) => Math.max(1, ...apps.map((app) => read(app) ?? 0));
  const greatest = {
    share: Math.max(0.0001, ...apps.map((app) => app.share ?? 0)),
    full: most(({ usage }) => usage?.full),
    rejected: Math.max(1, ...apps.map(({ usage }) => usage?.rejected_per_report ?? 0)),
  };
  const table = (rows: readonly App[]) => (
    <PlainTable
      titles={[
        "App",
        "Share of requests",
        "Requests",
        ...(hasUsage ? ["Minutes in FULL", "Rejected calls per report"] : []),
      ]}
      looks={{
        Requests: "text-right",
        "Share of requests": "w-[24%]",
        "Minutes in FULL": "w-[18%]",
        "Rejected calls per report": "w-[20%]",
      }}
    >
      {rows.map((app) => (
        <AppRow key={app.uuid} app={app} greatest={greatest} hasUsage={hasUsage} />
      ))}
    </PlainTable>
  );
  const more = apps.slice(shownApps, maxApps);
  return (
    <ChartSection
      id="apps"
      title="Apps"
      description={<>Apps that vehicles request. {!hasUsage && usageNote}</>}
      share={share}
      csvHref={csvHref}
      flush
    >
      {apps.length === 0 ? (
        <p className="px-4 py-3 text-table text-muted">No app was requested in this time.</p>
      ) : (
        <>
          {table(apps.slice(0, shownApps))}
          {more.length > 0 && (
            <div className="border-t border-line px-4 py-2">
              <Fold title={`${more.length} more apps`}>
                <div className="-mx-4">{table(more)}</div>
              </Fold>
            </div>
          )}
        </>
      )}
    </ChartSection>
  );
}

function AppRow({
  app: { uuid, name, count, share, blocked, default: usual, usage },
  greatest,
  hasUsage,
}: Readonly<{
  app: App;
  greatest: { readonly share: number; readonly full: number; readonly rejected: number };
  hasUsage: boolean;
}>) {
  return (
    <tr>
      <td className="max-w-64 min-w-40 px-4 py-1.5">
        <span className="flex items-center gap-2">
          {uuid === otherValue ? (
            "Other apps"
          ) : (
            <Link href={`/applications/${encodeURIComponent(uuid)}?tab=fleet`} className="min-w-0 truncate font-medium">
              {name ?? uuid}
            </Link>
          )}
          {blocked !== 0 && (
            <Chip tone="bad" icon={Ban}>
              Blocked
            </Chip>
          )}
          {usual !== 0 && <Chip tone="plain">Default</Chip>}
        </span>
      </td>
      <Measure share={share === null ? null : share / greatest.share} text={shareText(share)} />
      <td className="px-4 py-1.5 text-right whitespace-nowrap tabular-nums">
        <Count value={count} />
      </td>
      {hasUsage && (
        <>
          <Measure
            share={usage?.full == null ? null : usage.full / greatest.full}
            text={<Count value={usage?.full ?? null} />}
            className="fill-chart-2"
          />
          <Measure
            share={usage?.rejected_per_report == null ? null : usage.rejected_per_report / greatest.rejected}
            text={usage?.rejected_per_report ?? "–"}
            className="fill-bad"
          />
        </>
      )}
    </tr>
  );
}

function Measure({ share, text, className }: Readonly<{ share: number | null; text: ReactNode; className?: string }>) {
  return (
    <td className="px-4 py-1.5">
      <span className="flex items-center gap-3">
        <ShareBar share={share} {...(className !== undefined && { className })} />
        <span className="w-16 shrink-0 text-right whitespace-nowrap tabular-nums">{text}</span>
      </span>
    </td>
  );
}
