import type { Metadata } from "next";
import { GroupFilters } from "@/app/(console)/functionalgroups/(list)/group-filters";
import { GroupTable } from "@/app/(console)/functionalgroups/(list)/group-table";
import { UnmappedPanel } from "@/app/(console)/functionalgroups/(list)/unmapped-panel";
import { guides } from "@/app/_components/guides";
import { LinkButton } from "@/app/_components/ui/link-button";
import { LinkTabs } from "@/app/_components/ui/link-tabs";
import { ExportMenu } from "@/app/_components/list/export-menu";
import { RememberList } from "@/app/_components/list/views/remember-list";
import { PageHeader } from "@/app/_components/ui/page-header";
import { PartProblem } from "@/app/_components/feedback/part-problem";
import { requireAdminPage } from "@/lib/auth/session";
import { loadPart } from "@/lib/console/load-part";
import { loadGroupList } from "@/lib/groups/console-queries";
import { requireListQuery } from "@/lib/console/require-list-query";
import { groupListQuery } from "@/lib/groups/console-schema";
import { buildGroupListPath, type GroupListQuery, groupPath, type GroupState } from "@/lib/groups/list-address";
import { listGroupNames } from "@/lib/groups/queries";
import type { UncoveredPermission } from "@/lib/groups/coverage";
import { listUncovered } from "@/lib/groups/coverage-queries";

export const metadata: Metadata = { title: "Functional groups" };

const stateTabs: readonly (readonly [GroupState, string])[] = [
  ["all", "All"],
  ["modified", "Not in production"],
  ["new", "New"],
  ["deleted", "Deletion pending"],
];

export default async function FunctionalGroupsPage({ searchParams }: PageProps<"/functionalgroups">) {
  await requireAdminPage();
  const query = await requireListQuery("/functionalgroups", groupListQuery, await searchParams);
  const [list, uncovered] = await Promise.all([loadGroupList(query), loadPart("unmapped permissions", listUncovered)]);
  const isMissing = ({ isMapped }: UncoveredPermission) => !isMapped[query.environment];
  const isPanel = query.panel === "unmapped";
  const isStaging = query.environment === "staging";
  return (
    <>
      <PageHeader
        title="Functional groups"
        helpHref={guides.functionalGroups}
        description="What apps may do: each group allows some RPCs at some HMI levels, and apps get groups."
        actions={
          <>
            <ExportMenu path="/api/v1/ui/groups/export" csv="Table of RPCs (CSV)" json="Groups (JSON)" />
            {isStaging && (
              <LinkButton href="/functionalgroups/manage?environment=staging" variant="primary">
                New group
              </LinkButton>
            )}
          </>
        }
      />
      <LinkTabs
        label="Views of the groups"
        tabs={[
          ...stateTabs
            .filter(([state]) => isStaging || state === "all")
            .map(([state, label]) => ({
              label,
              href: buildGroupListPath(query, { state, panel: undefined }),
              isCurrent: !isPanel && (query.state === state || (!isStaging && state === "all")),
              count: list.counts[state],
            })),
          {
            label: "Unmapped permissions",
            href: buildGroupListPath(query, { panel: "unmapped" }),
            isCurrent: isPanel,
            ...("value" in uncovered && { count: uncovered.value.filter(isMissing).length }),
          },
        ]}
      />
      {isPanel && !("value" in uncovered) && (
        <PartProblem sentence="The unmapped permissions could not be read." {...uncovered} />
      )}
      {isPanel && "value" in uncovered && (
        <UnmappedPanel
          permissions={filterUncovered(uncovered.value, query)}
          groupNames={await listGroupNames()}
          isFiltered={query.q !== undefined || query.unmapped !== undefined}
        />
      )}
      {!isPanel && (
        <>
          <GroupFilters query={query} />
          <RememberList
            section="/functionalgroups"
            items={list.rows.map(({ name }) => ({ key: name, path: groupPath({ name }, query.environment) }))}
          />
          <GroupTable list={list} query={query} />
        </>
      )}
    </>
  );
}

/** Search and filter of the table of unmapped permissions. */
function filterUncovered(permissions: readonly UncoveredPermission[], { q, unmapped }: GroupListQuery) {
  const wanted = q?.toLowerCase() ?? "";
  return permissions.filter(
    ({ name, isMapped }) =>
      name.toLowerCase().includes(wanted) && (unmapped === undefined || isMapped.staging === (unmapped === "promote")),
  );
}
