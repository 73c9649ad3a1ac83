import type { Metadata } from "next";
import type { ReactNode } from "react";
import type { z } from "zod";
import { guides } from "@/app/_components/guides";
import { LinkTabs } from "@/app/_components/ui/link-tabs";
import { PageHeader } from "@/app/_components/ui/page-header";
import { requirePage } from "@/lib/platform/auth/callers/require-page";
import { type PolicyTab, policyTableQuery, policyTabs, type TableSource } from "@/app/(console)/policytable/page-query";
import { requirePageQuery } from "@/app/_console/require-page-query";
import { newestCore, type CoreVersion } from "@/lib/vocabulary/head-units";
import { TableTab } from "./table/table-tab";
import { loadAppNames } from "@/lib/apps/applications/queries";
import { maxAppsInAddress, readAppList } from "@/app/(console)/policytable/app-list";
import { loadSettings } from "@/lib/platform/settings";
import { LazySimulator } from "./vehicle/lazy-simulator";
import { loadPart } from "@/app/_console/load-part";
import { listSources, type SourceOption } from "./sources";
import { listReleases } from "@/lib/releases/queries";

export async function generateMetadata({ searchParams }: PageProps<"/policytable">): Promise<Metadata> {
  await requirePage("read");
  const { tab } = policyTableQuery.parse(await searchParams);
  return { title: tab === "table" ? "Policy table" : `${tabLabels[tab]} · Policy table` };
}

const tabLabels: Readonly<Record<PolicyTab, string>> = { table: "Table", vehicle: "Vehicle" };
const descriptions: Readonly<Record<PolicyTab, string>> = {
  table:
    "What every vehicle receives, without the entries of its apps. The private key is left out, and table encryption is not shown.",
  vehicle: "What a vehicle would receive for its apps, and why: the rule behind each permission, and what is missing.",
};

export default async function PolicyTablePage({ searchParams }: PageProps<"/policytable">) {
  await requirePage("read");
  const query = requirePageQuery("/policytable", policyTableQuery, await searchParams);
  const { tab } = query;
  return (
    <>
      <PageHeader title="Policy table" helpHref={guides.policyTable} description={descriptions[tab]} />
      <LinkTabs
        label="Views of the policy table"
        tabs={policyTabs.map((name) => ({ label: tabLabels[name], href: addressOf(name), isCurrent: name === tab }))}
      />
      {await showTab(query)}
    </>
  );
}

/** Loads a tab before anything is sent: the page is a single response. */
function showTab(query: z.output<typeof policyTableQuery>): Promise<ReactNode> {
  const { tab, environment, path = "", q = "", of = "production", ids = "full", apps } = query;
  const { head_unit: headUnit = newestCore } = query;
  switch (tab) {
    case "table":
      return TableTab({ environment, path, search: q });
    case "vehicle":
      return VehicleTab({ of, ids, headUnit, apps });
  }
}

const addressOf = (tab: PolicyTab) => (tab === "table" ? "/policytable" : `/policytable?tab=${tab}`);

async function VehicleTab({
  of,
  ids,
  headUnit,
  apps,
}: Readonly<{ of: TableSource; ids: "full" | "short"; headUnit: CoreVersion; apps: string | undefined }>) {
  const uuids = readAppList(apps);
  const [names, sources] = await Promise.all([loadAppNames(uuids), loadSources([of])]);
  return (
    <LazySimulator
      // Another address starts afresh, and so does the tab without one.
      key={`${of} ${ids} ${headUnit} ${uuids.join()}`}
      initial={{
        ...{ how: "apps", request: "", of, ids, headUnit },
        apps: uuids.slice(0, maxAppsInAddress).map((uuid) => ({ uuid, name: names.get(uuid) ?? uuid })),
      }}
      runsAtOnce={uuids.length > 0}
      sources={sources}
      origin={loadSettings().publicBaseUrl}
    />
  );
}

const max = 100;

/** If the releases cannot be loaded, only the environments. */
async function loadSources(chosen: readonly TableSource[]): Promise<SourceOption[]> {
  const part = await loadPart("releases to choose from", () =>
    listReleases({ limit: max, cursor: undefined, kind: undefined }),
  );
  return listSources("value" in part ? part.value.releases : [], chosen);
}
