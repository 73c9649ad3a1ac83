/** The list of groups in the console: what its address can say. Without zod, for the browser. */
import { defaultPageSize } from "@/lib/records/listing";
import { type Environment } from "@/lib/words/vocabulary";
import type { groupListQuery } from "@/lib/groups/console-schema";
import type { z } from "zod";

/** What an address asks for. */
export type GroupListQuery = Omit<z.output<typeof groupListQuery>, "size"> & {
  readonly size: number;
  /** Page size of an address that names none; by default that of whoever has not chosen. */
  readonly defaultSize?: number | undefined;
};

/** The members of the query that narrow the list, besides the state. */
export const groupFilterNames = ["q", "rpc", "param", "level", "grant", "prompt", "encryption"] as const;

/**
 * The address of the list with some members changed. Defaults are left out, so that equal lists have equal addresses;
 * another order, filter or page size begins with the first page.
 */
export function buildGroupListPath(query: GroupListQuery, changes: Partial<GroupListQuery> = {}): string {
  const next = { ...query, ...("after" in changes ? {} : { after: 0 }), ...changes };
  const isDefault: Partial<Record<keyof GroupListQuery, unknown>> = {
    environment: "staging",
    state: "all",
    sort: "name",
    size: query.defaultSize ?? defaultPageSize,
    after: 0,
  };
  const order = ["environment", "state", ...groupFilterNames, "sort", "size", "after", "panel", "unmapped"] as const;
  const parameters = new URLSearchParams();
  for (const name of order) {
    const value = next[name];
    if (value !== undefined && value !== isDefault[name]) parameters.set(name, String(value));
  }
  const text = parameters.toString();
  return text === "" ? "/functionalgroups" : `/functionalgroups?${text}`;
}

/** Where one group is edited, or with `production` read. A group is known by its name: that address stays good. */
export function groupPath(group: { readonly id: number } | { readonly name: string }, environment: Environment) {
  const key = "id" in group ? `id=${group.id}` : `name=${encodeURIComponent(group.name)}`;
  return `/functionalgroups/manage?${key}&environment=${environment}`;
}
