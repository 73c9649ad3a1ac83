import "server-only";
import { requireDatabase } from "@/lib/db/connection/connect";
import { findHeads } from "@/lib/db/heads";
import { isInState, passesFilter } from "@/lib/groups/console-filter";
import { buildGroupRow, type GroupRow } from "@/lib/groups/console-rows";
import { type GroupListQuery, type GroupState, groupStates } from "@/lib/groups/list-address";
import { loadParameterSources } from "@/lib/groups/parameter-sources";
import { findPrompts } from "@/lib/groups/queries";
import { readGroups, type StoredGroup } from "@/lib/groups/record-cache";
import { usableParameters } from "@/lib/policy/table/functional-groupings";
import { byLowerCase } from "@/lib/words/order";
import { isVisible } from "@/lib/records/views";
import { FunctionalGroupModel } from "@/models/functional-group";

/** One page of the list. */
export interface GroupList {
  readonly rows: readonly GroupRow[];
  /** How many groups pass the filters, by state. */
  readonly counts: Readonly<Record<GroupState, number>>;
  /** How many the chosen state has. */
  readonly total: number;
  /** How many stand before the page shown: the last one when the address asks for more. */
  readonly after: number;
  /** How many groups the view has without any filter. */
  readonly unfiltered: number;
}

/** What the list shows, without its pages. */
export type GroupSelection = Omit<GroupListQuery, "size" | "after" | "panel" | "unmapped">;

/**
 * Loads a page of the list of groups (`pages.md` 2.5).
 *
 * @throws DatabaseUnavailable
 */
export async function loadGroupList(query: GroupListQuery): Promise<GroupList> {
  const { passing, isNew, unfiltered } = await filterGroups(query);
  const inState = (state: GroupState) => passing.filter((group) => isInState(group, isNew(group), state));
  const shown = sortGroups(inState(query.state), query);
  const lastPage = Math.max(0, Math.ceil(shown.length / query.size) - 1) * query.size;
  const after = Math.min(query.after, lastPage);
  const page = shown.slice(after, after + query.size);
  const counts = Object.fromEntries(groupStates.map((state) => [state, inState(state).length]));
  return {
    rows: await buildRows(page, query, isNew),
    counts: counts as Record<GroupState, number>,
    total: shown.length,
    after,
    unfiltered,
  };
}

/**
 * Finds all groups that a list shows, in its order and without pages.
 *
 * @throws DatabaseUnavailable
 */
export async function findListedGroups(query: GroupSelection): Promise<StoredGroup[]> {
  const { passing, isNew } = await filterGroups(query);
  return sortGroups(
    passing.filter((group) => isInState(group, isNew(group), query.state)),
    query,
  );
}

async function filterGroups(query: GroupSelection) {
  await requireDatabase();
  const heads = await findHeads("groups", query.environment);
  const groups = await readGroups(heads.map(({ id }) => id));
  const visible = groups.filter((group) => isVisible(group, query.environment));
  const staged = visible.filter(({ status }) => status === "STAGING");
  const promoted = await findPromotedNames(staged.map(({ name }) => name));
  return {
    passing: visible.filter((group) => passesFilter(group, query)),
    isNew: ({ status, name }: StoredGroup) => status === "STAGING" && !promoted.has(name),
    unfiltered: visible.length,
  };
}

/** Which of the names production has now, with the ids of the records; a deleted one is no longer there. */
export async function findPromotedNames(names: readonly string[]): Promise<Map<string, number>> {
  if (names.length === 0) return new Map();
  const heads = await findHeads("groups", "production", { keys: names });
  const ids = heads.map(({ id }) => id);
  const documents = await FunctionalGroupModel.find({ _id: { $in: ids } }, { name: 1, isDeleted: 1 }).lean();
  return new Map(documents.filter(({ isDeleted }) => !isDeleted).map(({ _id, name }) => [name, _id]));
}

function sortGroups(groups: readonly StoredGroup[], { sort }: GroupSelection): StoredGroup[] {
  const sign = sort.startsWith("-") ? -1 : 1;
  // Records are append-only: the greater id is the later change.
  const compare = (a: StoredGroup, b: StoredGroup) =>
    sort.endsWith("changed") ? a.id - b.id : byLowerCase(a.name, b.name);
  return groups.toSorted((a, b) => sign * compare(a, b));
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
