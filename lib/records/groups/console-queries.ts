import "server-only";
import { passesFilter, buildGroupRow, type GroupRow } from "@/lib/records/groups/console-rows";
import type { GroupListQuery } from "@/lib/records/groups/console-schema";
import { loadParameterSources } from "@/lib/records/vehicle-data/specification";
import { findPrompts } from "@/lib/records/groups/queries";
import { keptGroups } from "@/lib/records/groups/record-cache";
import type { StoredGroup } from "@/lib/records/groups/rules";
import { usableParameters } from "@/lib/policy/table/functional-groupings";
import type { RecordList } from "@/lib/records/store/listing";
import { buildList, selectRecords } from "@/lib/records/store/queries";

export type GroupList = RecordList<GroupRow>;

export type GroupSelection = Omit<GroupListQuery, "size" | "after" | "panel" | "unmapped">;

export async function loadGroupList(query: GroupListQuery): Promise<GroupList> {
  return buildList(await selectGroups(query), query, (page, isNew) => buildRows(page, query, isNew));
}

export async function findListedGroups(query: GroupSelection): Promise<readonly StoredGroup[]> {
  return (await selectGroups(query)).listed;
}

function selectGroups(query: GroupSelection) {
  return selectRecords(keptGroups, query, (groups) => groups.filter((group) => passesFilter(group, query)));
}

async function buildRows(
  groups: readonly StoredGroup[],
  query: GroupListQuery,
  isNew: (group: StoredGroup) => boolean,
): Promise<GroupRow[]> {
  const categories = groups.flatMap(({ userConsentPrompt }) => userConsentPrompt ?? []);
  const [staging, production, sources] = await Promise.all([
    findPrompts(categories, "staging"),
    findPrompts(categories, "production"),
    loadParameterSources(),
  ]);
  const context = { prompts: { staging, production }, isUsable: usableParameters(sources), query };
  return groups.map((group) => buildGroupRow(group, { ...context, isNew: isNew(group), changedAt: group.createdAt }));
}
