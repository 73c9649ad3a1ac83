/** Query parameters of the console's app list. Safe in the browser. */
import { z } from "zod";
import { exportFormat, filterText } from "@/lib/records/store/query";
import { defaultPageSize, pageSizes } from "@/lib/records/store/listing";
import { namesOf } from "@/lib/vocabulary/members";
import { queryInteger, queryText } from "@/lib/platform/zod/query";
import { riskKinds } from "@/lib/vocabulary/risk";

/** Tabs of the list. A blocked app appears under `blocked` and `all` only. */
export const listStates = ["review", "staging", "accepted", "limited", "blocked", "all"] as const;
export type ListState = (typeof listStates)[number];

/** `-` is descending; `waiting` starts with the longest wait, `-risk` with the app that would gain most. */
export const consoleSorts = ["name", "-name", "updated", "-updated", "waiting", "-waiting", "risk", "-risk"] as const;
export type ConsoleSort = (typeof consoleSorts)[number];
/** Only of apps that wait it is known what they would gain. */
export type RiskSort = Extract<ConsoleSort, `${string}risk`>;
export const isRiskSort = (sort: ConsoleSort): sort is RiskSort => sort === "risk" || sort === "-risk";

export const listFlags = ["auto", "administrator", "passthrough", "encryption"] as const;
export type ListFlag = (typeof listFlags)[number];

/** At most 1, 7, 30 or 365 days ago. */
export const updatedRanges = ["day", "week", "month", "year"] as const;
export type UpdatedRange = (typeof updatedRanges)[number];

export const liveChoices = ["yes", "no"] as const;
export type LiveChoice = (typeof liveChoices)[number];

const longestCursor = 4000;

const filters = {
  /** Apps that wait, by what they would gain in production. */
  gains: queryText().pipe(z.enum(riskKinds)).optional().catch(undefined),
  /** Part of a name, vendor, e-mail, uuid, short uuid, key of a requested permission or service type. */
  q: filterText(),
  platform: filterText(),
  category: queryInteger().catch(undefined),
  /** Transport of an embedded app or of a cloud endpoint. */
  transport: filterText(),
  /** ISO code of a country. */
  country: filterText(),
  perm: filterText(),
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
  /** Start or end of a page; `after` takes precedence over `before`. */
  after: filterText(longestCursor),
  before: filterText(longestCursor),
});
const withSort = <Query extends { state: ListState; sort?: ConsoleSort | undefined }>(query: Query) => ({
  ...query,
  sort:
    query.sort === undefined || (isRiskSort(query.sort) && query.state !== "review")
      ? defaultSort(query.state)
      : query.sort,
});

/** Query of the list. Invalid values fall back to the defaults. */
export const consoleListQuery = listMembers.transform(withSort);
export type ConsoleListQuery = z.output<typeof consoleListQuery>;
export const listSelection = selectionMembers.transform(withSort);
export type ConsoleSelection = z.output<typeof listSelection>;

export const exportListQuery = selectionMembers.extend({ format: exportFormat }).transform(withSort);
export type ExportListQuery = z.output<typeof exportListQuery>;

export function defaultSort(state: ListState): ConsoleSort {
  return state === "review" ? "-risk" : "-updated";
}
