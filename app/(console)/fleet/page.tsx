import { ChartColumn } from "lucide-react";
import type { Metadata } from "next";
import type { ReactNode } from "react";
import { EmptyState } from "@/app/_components/feedback/empty-state";
import { Notice } from "@/app/_components/feedback/notice";
import { Link } from "@/app/_components/ui/link";
import { LinkButton } from "@/app/_components/ui/link-button";
import { LinkTabs } from "@/app/_components/ui/link-tabs";
import { PageHeader } from "@/app/_components/ui/page-header";
import { readClock } from "@/app/_console/read-clock";
import { requirePageQuery } from "@/app/_console/require-page-query";
import { NoVehicles } from "@/app/_fleet/no-vehicles";
import { allVehicles } from "@/lib/fleet/dimensions";
import { defaultRange, type FleetPageQuery, fleetPageQuery, pageRanges } from "@/lib/fleet/figures/schema";
import { buildPageScope } from "@/lib/fleet/figures/scope";
import { requirePage } from "@/lib/platform/auth/callers/require-page";
import { loadSettings } from "@/lib/platform/settings";
import { namesOf } from "@/lib/vocabulary/members";
import { fleetHref, figuresHref } from "./addresses";
import { AdoptionSection } from "./adoption-section";
import { AppsSection } from "./apps-section";
import { ConsentsSection } from "./consents-section";
import { FleetFilters } from "./fleet-filters";
import { type FleetFigures, loadFleet } from "./queries";
import { RequestsSection } from "./requests-section";
import { ValueSection } from "./value-section";

export const metadata: Metadata = { title: "Fleet" };

/** What vehicles ask for, and what they report (`fleet.md` S8). */
export default async function FleetPage({ searchParams }: PageProps<"/fleet">) {
  await requirePage("read");
  const query = requirePageQuery("/fleet", fleetPageQuery, await searchParams);
  const { fleetStatistics: statistics } = loadSettings();
  const scope = buildPageScope(query, readClock());
  const figures = await loadFleet(scope, readClock());
  const hasFilter = scope.cell !== allVehicles || query.environment !== "production";
  return (
    <>
      <PageHeader
        title="Fleet"
        description="What vehicles ask for and report, as counts. Nothing is stored about a single vehicle."
        {...((!figures.isNew || hasFilter) && {
          actions: <FleetFilters software={figures.choices.software} countries={figures.choices.countries} />,
        })}
      />
      {statistics === "off" && (
        <Notice tone="info" className="mb-4" title="Requests of vehicles are not counted">
          Set FLEET_STATISTICS to requests or usage to count them. <Link href="/about#settings">Settings</Link>
        </Notice>
      )}
      {figures.isNew ? (
        statistics !== "off" && <NoVehicles />
      ) : (
        <>
          <LinkTabs
            label="Time range"
            tabs={namesOf(pageRanges).map((range) => ({
              label: pageRanges[range].label,
              href: fleetHref({ ...query, range }),
              isCurrent: range === query.range,
            }))}
          />
          {figures.requests.steps.every(({ table, refused }) => table === 0 && refused === 0) ? (
            <EmptyState
              icon={ChartColumn}
              title={`No such vehicle has asked in ${rangeText(query)}`}
              action={<LinkButton href={fleetHref({ range: defaultRange })}>Show all vehicles</LinkButton>}
            />
          ) : (
            <Charts query={query} figures={figures} usageNote={statistics === "usage" ? null : usageNote} />
          )}
        </>
      )}
    </>
  );
}

const usageNote = (
  <>
    Minutes, rejected calls and consents need FLEET_STATISTICS=usage. <Link href="/about#settings">Settings</Link>
  </>
);

const rangeText = ({ range }: Pick<FleetPageQuery, "range">) => `the last ${pageRanges[range].label}`;

function Charts({
  query,
  figures,
  usageNote: note,
}: Readonly<{ query: FleetPageQuery; figures: FleetFigures; usageNote: ReactNode }>) {
  const { requests, adoption, apps, groups, headUnits } = figures;
  const { environment, range } = query;
  const csv = (name: string) => figuresHref(name, requests);
  const { share } = headUnits;
  return (
    <div className="space-y-4">
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4 xl:grid-cols-2">
        <RequestsSection figures={requests} csvHref={csv("requests")} rangeText={rangeText(query)} />
        <AdoptionSection figures={adoption} csvHref={csv("adoption")} />
      </div>
      <AppsSection figures={apps} csvHref={csv("apps")} usageNote={note} />
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 xl:grid-cols-2">
        <div className="space-y-4">
          <ConsentsSection figures={groups} csvHref={csv("groups")} usageNote={note} />
          <ValueSection
            id="software"
            title="Head-unit software"
            noun="Software"
            values={headUnits.software}
            share={share}
            csvHref={csv("head-units")}
            hrefOf={(software) => fleetHref({ range, environment, software })}
            empty="No vehicle told its software."
          />
          <ValueSection
            id="phones"
            title="Phones"
            noun="Operating system"
            description="A request may name several phones."
            values={headUnits.systems}
            share={share}
            csvHref={csv("head-units")}
            empty="No vehicle named a phone."
          />
          <ValueSection
            id="hardware"
            title="Head-unit hardware"
            noun="Hardware"
            values={headUnits.hardware}
            share={share}
            csvHref={csv("head-units")}
            empty="No vehicle told its hardware."
          />
        </div>
        <div className="space-y-4">
          <ValueSection
            id="unknown-apps"
            title="Unknown app ids"
            noun="App id"
            description="Requested ids of no app here. These vehicles get the default entry."
            values={apps.unknown.map(({ id, count }) => ({ value: id, count, share: shareOf(count, apps.requests) }))}
            share={share}
            csvHref={csv("apps")}
            empty="Every requested app is known."
          />
          <ValueSection
            id="countries"
            title="Countries"
            noun="Country"
            values={headUnits.countries}
            share={share}
            csvHref={csv("head-units")}
            hrefOf={(country) => fleetHref({ range, environment, country })}
            empty="No vehicle told its country."
          />
          <ValueSection
            id="languages"
            title="Languages"
            noun="Language"
            values={headUnits.languages}
            share={share}
            csvHref={csv("head-units")}
            empty="No vehicle told its language."
          />
        </div>
      </div>
    </div>
  );
}

const shareOf = (count: number | null, whole: number | null) =>
  count === null || whole === null || whole === 0 ? null : Math.min(1, count / whole);
