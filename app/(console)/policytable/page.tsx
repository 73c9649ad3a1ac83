import type { Metadata } from "next";
import type { ReactNode } from "react";
import type { z } from "zod";
import { guides } from "@/app/_components/guides";
import { LinkTabs } from "@/app/_components/ui/link-tabs";
import { PageHeader } from "@/app/_components/ui/page-header";
import { requirePage } from "@/lib/platform/auth/callers/require-page";
import { type PolicyTab, policyTableQuery } from "@/lib/console/policy-table-query";
import { requirePageQuery } from "@/lib/console/require-page-query";
import { newestCore } from "@/lib/labels/head-units";
import { CompareTab } from "./compare/compare-tab";
import { TableTab } from "./table/table-tab";
import { VehicleTab } from "./vehicle/vehicle-tab";

export const metadata: Metadata = { title: "Policy table" };

const tabs: readonly (readonly [tab: PolicyTab, label: string])[] = [
  ["table", "Table"],
  ["compare", "Compare"],
  ["vehicle", "Vehicle"],
];
const descriptions: Readonly<Record<PolicyTab, string>> = {
  table:
    "What a vehicle gets before any of its apps is looked at. The private key is taken out; table encryption, where it is set up, is not shown.",
  compare: "How one table differs from another: what a promotion would bring, or what a release has changed.",
  vehicle: "What one vehicle would receive for its apps, and why: which rule granted each right, and what is missing.",
};

/** The policy table: one environment's, compared with another, and as one vehicle would receive it. */
export default async function PolicyTablePage({ searchParams }: PageProps<"/policytable">) {
  await requirePage("read");
  const query = requirePageQuery("/policytable", policyTableQuery, await searchParams);
  const { tab } = query;
  return (
    <>
      <PageHeader title="Policy table" helpHref={guides.policyTable} description={descriptions[tab]} />
      <LinkTabs
        label="Views of the policy table"
        tabs={tabs.map(([name, label]) => ({ label, href: addressOf(name), isCurrent: name === tab }))}
      />
      {await showTab(query)}
    </>
  );
}

/** What a tab shows, read before anything is sent: the page is one answer. */
function showTab(query: z.output<typeof policyTableQuery>): Promise<ReactNode> {
  const { tab, environment, path = "", q = "", of = "production", ids = "full", from, to, apps } = query;
  const { head_unit: headUnit = newestCore } = query;
  switch (tab) {
    case "table":
      return TableTab({ environment, path, search: q });
    case "compare":
      return CompareTab({ from: from ?? "production", to: to ?? "staging", apps });
    case "vehicle":
      return VehicleTab({ of, ids, headUnit, apps });
  }
}

const addressOf = (tab: PolicyTab) => (tab === "table" ? "/policytable" : `/policytable?tab=${tab}`);
