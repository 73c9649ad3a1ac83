import type { Metadata } from "next";
import { GroupList } from "./group-list";
import { UnmappedPanel } from "./unmapped-panel";
import { PartProblem } from "@/app/_components/feedback/part-problem";
import { requirePage } from "@/lib/platform/auth/callers/require-page";
import { loadPart, type Part } from "@/app/_console/load-part";
import { loadGroupList } from "@/lib/records/groups/console-queries";
import { requireListQuery } from "@/app/_console/require-page-query";
import { type GroupListQuery, groupListQuery } from "@/lib/records/groups/console-schema";
import { listGroupNames } from "@/lib/records/groups/queries";
import { type UncoveredPermission, listUncovered } from "@/lib/records/groups/coverage";

export const metadata: Metadata = { title: "Functional groups" };

export default async function FunctionalGroupsPage({ searchParams }: PageProps<"/functionalgroups">) {
  await requirePage("read");
  const query = await requireListQuery("/functionalgroups", groupListQuery, await searchParams);
  const [list, uncovered] = await Promise.all([loadGroupList(query), loadPart("unmapped permissions", listUncovered)]);
  const isMissing = ({ isMapped }: UncoveredPermission) => !isMapped[query.environment];
  return (
    <GroupList
      list={list}
      query={query}
      unmapped={"value" in uncovered ? uncovered.value.filter(isMissing).length : null}
      panel={query.panel === "unmapped" ? await renderPanel(uncovered, query) : null}
    />
  );
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
