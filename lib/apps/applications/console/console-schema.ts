/** The list of apps in the console: what its address can say. Safe in the browser. */
import { z } from "zod";
import { exportFormat, filterText } from "@/lib/content/records/query";
import { defaultPageSize, type PageSize, pageSizes } from "@/lib/content/records/listing";
import { namesOf } from "@/lib/labels/members";
import { queryInteger, queryText } from "@/lib/platform/zod/query";

/** Tabs of the list. A blocked app appears under `blocked` and `all` only. */
export const listStates = ["review", "staging", "accepted", "limited", "blocked", "all"] as const;
export type ListState = (typeof listStates)[number];

/** Orders of the list; `-` is descending. `waiting` begins with what has waited longest. */
export const consoleSorts = ["name", "-name", "updated", "-updated", "waiting", "-waiting"] as const;
export type ConsoleSort = (typeof consoleSorts)[number];

/** Flags that an app can be filtered by. */
export const listFlags = ["auto", "administrator", "passthrough", "encryption"] as const;
export type ListFlag = (typeof listFlags)[number];

/** How long ago the directory changed an app at most: 1, 7, 30 or 365 days. */
export const updatedRanges = ["day", "week", "month", "year"] as const;
export type UpdatedRange = (typeof updatedRanges)[number];

/** Whether production serves some version of an app. */
export const liveChoices = ["yes", "no"] as const;
export type LiveChoice = (typeof liveChoices)[number];

const longestCursor = 4000;

/** The members of the query that narrow the list, whatever the tab. */
const filters = {
  /** Part of a name, vendor, e-mail, uuid, short uuid, key of a requested permission or service type. */
  q: filterText(),
  platform: filterText(),
  /** Id of a category. */
  category: queryInteger().catch(undefined),
  /** Transport of an embedded app or of a cloud endpoint. */
  transport: filterText(),
  /** ISO code of a country. */
  country: filterText(),
  /** Key of a requested permission. */
  perm: filterText(),
  /** Service type. */
  service: filterText(),
  flag: queryText().pipe(z.enum(listFlags)).optional().catch(undefined),
  updated: queryText().pipe(z.enum(updatedRanges)).optional().catch(undefined),
  live: queryText().pipe(z.enum(liveChoices)).optional().catch(undefined),
};
export type FilterName = keyof typeof filters;
export const filterNames = namesOf(filters);

const selectionMembers = z.object({
  state: queryText().pipe(z.enum(listStates)).catch("review"),
  ...filters,
  sort: queryText().pipe(z.enum(consoleSorts)).optional().catch(undefined),
});
const listMembers = selectionMembers.extend({
  size: queryInteger()
    .transform((size) => pageSizes.find((one) => one === size) ?? defaultPageSize)
    .catch(defaultPageSize),
  /** Where a page begins or ends; `after` goes before `before`. */
  after: filterText(longestCursor),
  before: filterText(longestCursor),
});
const withSort = <Query extends { state: ListState; sort?: ConsoleSort | undefined }>(query: Query) => ({
  ...query,
  sort: query.sort ?? defaultSort(query.state),
});

/** Query of the list. Values that mean nothing fall back to the defaults. */
export const consoleListQuery = listMembers.transform(withSort);
export type ConsoleListQuery = z.output<typeof consoleListQuery> & {
  /** Page size of an address that names none; by default that of whoever has not chosen. */
  readonly defaultSize?: PageSize;
};
/** What the list shows, without its pages. */
export const listSelection = selectionMembers.transform(withSort);
export type ConsoleSelection = z.output<typeof listSelection>;

/** Query of `GET ui/applications/export`: the list's, read in the same way, without its pages. */
export const exportListQuery = selectionMembers.extend({ format: exportFormat }).transform(withSort);
export type ExportListQuery = z.output<typeof exportListQuery>;

/** What waits for review begins with the oldest, the others with the latest change. */
export function defaultSort(state: ListState): ConsoleSort {
  return state === "review" ? "waiting" : "-updated";
}

/**
 * The address of the list with some members changed. Defaults are left out, so that equal lists have equal addresses;
 * another tab, order, filter or page size begins with the first page.
 */
export function buildListPath(query: ConsoleListQuery, changes: Partial<ConsoleListQuery> = {}): string {
  const turnsPage = "after" in changes || "before" in changes;
  // The order belongs to the tab unless it was chosen.
  const sort = query.sort === defaultSort(query.state) ? undefined : query.sort;
  const next = { ...query, sort, ...(turnsPage ? {} : { after: undefined, before: undefined }), ...changes };
  const isDefault: Partial<Record<keyof ConsoleListQuery, unknown>> = {
    state: "review",
    size: query.defaultSize ?? defaultPageSize,
    sort: defaultSort(next.state),
  };
  const parameters = new URLSearchParams();
  for (const name of namesOf(listMembers.shape)) {
    const value = next[name];
    if (value !== undefined && value !== isDefault[name]) parameters.set(name, String(value));
  }
  const text = parameters.toString();
  return text === "" ? "/applications" : `/applications?${text}`;
}
