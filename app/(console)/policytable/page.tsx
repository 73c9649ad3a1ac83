import type { Metadata } from "next";
import { CopyButton } from "@/app/_components/ui/copy-button";
import { EmptyState } from "@/app/_components/feedback/empty-state";
import { guides } from "@/app/_components/guides";
import { HeadUnitFindings } from "@/app/_components/feedback/head-unit-findings";
import { PageHeader } from "@/app/_components/ui/page-header";
import { PartProblem } from "@/app/_components/feedback/part-problem";
import { Section } from "@/app/_components/ui/section";
import { requirePage } from "@/lib/auth/callers/require-page";
import { loadPart, type Part } from "@/lib/console/load-part";
import { policyTableQuery } from "@/lib/console/policy-table-query";
import { requirePageQuery } from "@/lib/console/require-page-query";
import { loadTableLinks, type TableLinks } from "@/lib/console/table-links";
import { outlineTable } from "@/lib/policy/outline";
import { buildPreview } from "@/lib/policy/preview";
import { listFindings, whenFollowed } from "@/lib/policy/status";
import { findServices } from "@/lib/policy/services";
import { loadSettings } from "@/lib/settings";
import { PolicyTable } from "./policy-table";
import { SectionIndex } from "./section-index";

export const metadata: Metadata = { title: "Policy table" };

/** A table longer than this (in characters) is fetched by the browser: the page then shows its contents first. */
const longestInPage = 400_000;

/** The policy table of one environment, as a vehicle without apps would get it. */
export default async function PolicyTablePage({ searchParams }: PageProps<"/policytable">) {
  await requirePage("read");
  const { environment, path = "", q = "" } = requirePageQuery("/policytable", policyTableQuery, await searchParams);
  const { publicBaseUrl } = loadSettings();
  await whenFollowed();
  const findings = listFindings(environment);
  const policy = findServices()?.runtime.policy(environment);
  const address = `${publicBaseUrl}/api/v1/${environment}/policy`;
  return (
    <>
      <PageHeader
        title="Policy table"
        helpHref={guides.policyTable}
        description="What a vehicle gets before any of its apps is looked at. The private key is taken out; table encryption, where it is set up, is not shown."
      />
      {findings.length > 0 && (
        <Section
          id="findings"
          title="What head units would object to"
          description="In this table, and in the entries of apps that vehicles or pages have asked for. One value that a head unit refuses makes it refuse the whole table."
          className="mb-4"
        >
          <HeadUnitFindings findings={findings} />
        </Section>
      )}
      {policy ? (
        <Table
          data={buildPreview(policy)[0]}
          {...{ environment, address }}
          links={await loadPart("links of the policy table", () => loadTableLinks(environment))}
          path={path}
          search={q}
        />
      ) : (
        <EmptyState title="No policy table yet">
          The server is still compiling its first one. This takes a few seconds after a start.
        </EmptyState>
      )}
    </>
  );
}

function Table({
  data,
  environment,
  address,
  links,
  path,
  search,
}: Readonly<{
  data: { readonly policy_table: object };
  environment: "staging" | "production";
  address: string;
  links: Part<TableLinks>;
  path: string;
  search: string;
}>) {
  const sections = outlineTable(data.policy_table);
  const isShort = sections.reduce((sum, { bytes }) => sum + bytes, 0) <= longestInPage;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4 lg:grid-cols-[17rem_minmax(0,1fr)]">
      <div className="space-y-4">
        {!("value" in links) && (
          <PartProblem sentence="The links from the table to its editors could not be read." {...links} />
        )}
        <SectionIndex sections={sections} environment={environment} />
        <div className="rounded-card border border-line bg-surface px-4 py-3 text-table">
          <h2 className="font-semibold">Head units ask here</h2>
          <p className="mt-1 flex items-start gap-1">
            <code className="min-w-0 grow font-mono text-xs break-all text-muted">
              <span className="font-semibold text-text">POST</span> {address}
            </code>
            <CopyButton text={address} label="Copy address" />
          </p>
        </div>
      </div>
      <PolicyTable
        key={environment}
        environment={environment}
        table={isShort ? data : null}
        links={"value" in links ? links.value : { groups: {}, messages: {} }}
        firstPath={path}
        firstSearch={search}
      />
    </div>
  );
}
