import type { Metadata } from "next";
import { CoveragePanel } from "./coverage-panel";
import { GroupList } from "./group-list";
import { UnmappedPanel } from "./unmapped-panel";
import { PartProblem } from "@/app/_components/feedback/part-problem";
import { requirePage } from "@/lib/platform/auth/callers/require-page";
import { loadPart, type Part } from "@/lib/console/load-part";
import { findListedGroups, loadGroupList } from "@/lib/content/groups/console-queries";
import { requireListQuery } from "@/lib/console/require-page-query";
import { type GroupListQuery, groupListQuery } from "@/lib/content/groups/console-schema";
import { listGroupNames } from "@/lib/content/groups/queries";
import { type UncoveredPermission, listUncovered } from "@/lib/content/groups/coverage";
import { buildCoverageMatrix } from "@/lib/content/groups/coverage-matrix";
import { requireState } from "@/lib/simulator/answers/queries";

export const metadata: Metadata = { title: "Functional groups" };

export default async function FunctionalGroupsPage({ searchParams }: PageProps<"/functionalgroups">) {
  await requirePage("read");
  const raw = await searchParams;
  const query = await requireListQuery("/functionalgroups", groupListQuery, raw);
  const [list, uncovered] = await Promise.all([loadGroupList(query), loadPart("unmapped permissions", listUncovered)]);
  const isMissing = ({ isMapped }: UncoveredPermission) => !isMapped[query.environment];
  return (
    <GroupList
      list={list}
      query={query}
      unmapped={"value" in uncovered ? uncovered.value.filter(isMissing).length : null}
      panel={await renderInstead(uncovered, query, raw)}
    />
  );
}

/** The panel that replaces the list; null: the list. */
async function renderInstead(
  uncovered: Part<readonly UncoveredPermission[]>,
  query: GroupListQuery,
  raw: Awaited<PageProps<"/functionalgroups">["searchParams"]>,
) {
  if (query.panel === "unmapped") return renderPanel(uncovered, query);
  if (query.view !== "matrix") return null;
  const [listed, { view }] = await Promise.all([findListedGroups(query), requireState(query.environment)]);
  const after = { groups: query.after, rpcs: query.rows };
  const matrix = buildCoverageMatrix(listed, after, (name) => view.groups.get(name)?.allowed ?? []);
  // Every parsed parameter is a single value.
  const address = new URLSearchParams(
    Object.entries(raw).flatMap(([name, value]) => (value ? [[name, String(value)]] : [])),
  );
  return <CoveragePanel matrix={matrix} environment={query.environment} address={address} />;
}

async function renderPanel(uncovered: Part<readonly UncoveredPermission[]>, query: GroupListQuery) {
  return "value" in uncovered ? (
    <UnmappedPanel
      permissions={filterUncovered(uncovered.value, query)}
      groupNames={await listGroupNames()}
      query={query}
    />
  ) : (
    <PartProblem sentence="The unmapped permissions could not be read." {...uncovered} />
  );
}

function filterUncovered(permissions: readonly UncoveredPermission[], { q, unmapped }: GroupListQuery) {
  const wanted = q?.toLowerCase() ?? "";
  return permissions.filter(
    ({ name, isMapped }) =>
      name.toLowerCase().includes(wanted) && (unmapped === undefined || isMapped.staging === (unmapped === "promote")),
  );
}
