import type { ActiveFilter } from "@/app/_components/list/filter-chips";
import { buildGroupListPath, groupFilterNames, type GroupListQuery } from "@/lib/groups/list-address";
import { groupGrants } from "@/lib/words/group-flags";

const filterLabels = {
  q: "Search",
  rpc: "RPC",
  param: "Parameter",
  level: "HMI level",
  grant: "Granted to",
  prompt: "Consent prompt",
  encryption: "Encryption",
} as const satisfies Record<(typeof groupFilterNames)[number], string>;

/** The list without any filter. */
export function clearedPath(query: GroupListQuery): string {
  return buildGroupListPath(query, Object.fromEntries(groupFilterNames.map((name) => [name, undefined])));
}

/** The filters that are on, in words. */
export function listActiveFilters(query: GroupListQuery): ActiveFilter[] {
  return groupFilterNames.flatMap((name) => {
    const value = query[name];
    if (value === undefined) return [];
    const href = buildGroupListPath(query, { [name]: undefined });
    return [{ label: filterLabels[name], value: valueWords(query, name) ?? value, href }];
  });
}

function valueWords(query: GroupListQuery, name: (typeof groupFilterNames)[number]): string | null {
  if (name === "grant" && query.grant !== undefined) return groupGrants[query.grant].label;
  if (name === "prompt") return query.prompt === "with" ? "asks the driver" : "does not ask";
  return name === "encryption" ? "required" : null;
}
