import "server-only";
import { passesFilter, buildGroupRow, type GroupRow } from "@/lib/groups/console-rows";
import { type GroupListQuery, type GroupState, groupStates } from "@/lib/groups/list-address";
import { loadParameterSources } from "@/lib/groups/parameter-sources";
import { findPrompts } from "@/lib/groups/queries";
import { keptGroups } from "@/lib/groups/record-cache";
import { type StoredGroup } from "@/lib/groups/rules";
import { usableParameters } from "@/lib/policy/table/functional-groupings";
import { countByState, cutPage, isInState, sortRecords } from "@/lib/records/listing";
import { loadListView } from "@/lib/records/queries";
import { type GroupRecord } from "@/lib/groups/rules";
import { toSaveBody } from "@/lib/groups/wire";
import { type CsvValue } from "@/lib/http/csv";
import { describeState, type ExportForm } from "@/lib/records/export";
import { listGrants } from "@/lib/words/group-flags";
import { hmiLevels } from "@/lib/words/vocabulary";

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
 * Loads a page of the list of groups.
 *
 * @throws DatabaseUnavailable
 */
export async function loadGroupList(query: GroupListQuery): Promise<GroupList> {
  const { listed, passing, isNew, unfiltered } = await selectGroups(query);
  const { page, total, after } = cutPage(listed, query);
  const counts = countByState(passing, isNew, groupStates);
  return { rows: await buildRows(page, query, isNew), counts, total, after, unfiltered };
}

/**
 * Finds all groups that a list shows, in its order and without pages.
 *
 * @throws DatabaseUnavailable
 */
export async function findListedGroups(query: GroupSelection): Promise<readonly StoredGroup[]> {
  return (await selectGroups(query)).listed;
}

async function selectGroups(query: GroupSelection) {
  const { visible, isNew } = await loadListView(keptGroups, query.environment);
  const passing = visible.filter((group) => passesFilter(group, query));
  const inState = passing.filter((group) => isInState(group, isNew(group), query.state));
  const listed = sortRecords(inState, query.sort, ({ name }) => name);
  return { listed, passing, isNew, unfiltered: visible.length };
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

const columns: readonly (readonly [name: string, read: (record: GroupRecord) => CsvValue])[] = [
  ["group", ({ name }) => name],
  ["description", ({ description }) => description],
  ["status", describeState],
  ["grants", (record) => listGrants(record).join("; ")],
  ["user_consent_prompt", ({ userConsentPrompt }) => userConsentPrompt],
  ["encryption_required", ({ encryptionRequired }) => encryptionRequired],
];

/** Groups as files: a table with one line for each RPC, or bodies that `POST groups` takes. */
export const groupFiles: ExportForm<GroupRecord> = {
  name: "functional-groups",
  member: "groups",
  toBody: toSaveBody,
  columns: [...columns.map(([name]) => name), "rpc", "hmi_levels", "parameters"],
  lines: (record) => {
    const cells = columns.map(([, read]) => read(record));
    if (record.rpcs.length === 0) return [[...cells, null, null, null]];
    return record.rpcs.map(({ name, levels, parameters }) => {
      const ordered = hmiLevels.filter((level) => levels.includes(level));
      return [...cells, name, ordered.join("; "), parameters.join("; ")];
    });
  },
};
