import type { Metadata } from "next";
import { ItemTable } from "@/app/(console)/vehicledata/(list)/item-table";
import { ItemFilters } from "@/app/(console)/vehicledata/(list)/item-filters";
import { guides } from "@/app/_components/guides";
import { LinkButton } from "@/app/_components/ui/link-button";
import { LinkTabs } from "@/app/_components/ui/link-tabs";
import { ExportMenu } from "@/app/_components/list/export-menu";
import { changeAddress } from "@/app/_components/list/list-address";
import { RememberList } from "@/app/_components/list/views/remember-list";
import { PageHeader } from "@/app/_components/ui/page-header";
import { requireAdminPage } from "@/lib/auth/session";
import { requireListQuery } from "@/lib/console/require-list-query";
import { loadVehicleDataList } from "@/lib/vehicle-data/console-queries";
import { vehicleDataListQuery } from "@/lib/vehicle-data/console-schema";
import { vehicleDataPath, type VehicleDataState } from "@/lib/vehicle-data/list-address";

export const metadata: Metadata = { title: "Vehicle data" };

const path = "/vehicledata";
const stateTabs: readonly (readonly [VehicleDataState, string])[] = [
  ["all", "All"],
  ["modified", "Not in production"],
  ["new", "New"],
  ["deleted", "Deletion pending"],
];

/** The manufacturer's own vehicle data of one environment. */
export default async function VehicleDataPage({ searchParams }: PageProps<"/vehicledata">) {
  await requireAdminPage();
  const raw = await searchParams;
  const query = await requireListQuery(path, vehicleDataListQuery, raw);
  const list = await loadVehicleDataList(query);
  const isStaging = query.environment === "staging";
  const address = new URLSearchParams(
    Object.entries(raw).flatMap(([name, value]) => (typeof value === "string" ? [[name, value]] : [])),
  ).toString();
  const href = (changes: Readonly<Record<string, string | null>>) => changeAddress(path, address, changes);
  return (
    <>
      <PageHeader
        title="Vehicle data"
        helpHref={guides.vehicleData}
        description="Your own vehicle data. Each item can be granted as a parameter of the vehicle data RPCs in functional groups."
        actions={
          <>
            {list.total > 0 && (
              <ExportMenu path="/api/v1/ui/vehicle-data/export" csv="Table of all nodes (CSV)" json="Items (JSON)" />
            )}
            {isStaging && (
              <LinkButton href="/vehicledata/manage?environment=staging" variant="primary">
                New item
              </LinkButton>
            )}
          </>
        }
      />
      {isStaging && (
        <LinkTabs
          label="Views of vehicle data"
          tabs={stateTabs.map(([state, label]) => ({
            label,
            href: href({ state: state === "all" ? null : state }),
            isCurrent: query.state === state,
            count: list.counts[state],
          }))}
        />
      )}
      <ItemFilters query={query} types={list.types} href={href} />
      <RememberList
        section={path}
        items={list.rows
          .filter(({ depth }) => depth === 0)
          .map(({ id, name }) => ({ key: name, path: vehicleDataPath(id, query.environment) }))}
      />
      <ItemTable list={list} query={query} address={address} />
    </>
  );
}
