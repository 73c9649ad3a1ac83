import type { FilterChoice } from "@/app/_components/list/filter-menu";
import type { ListFilter } from "@/app/_components/list/list-filters";
import type { FilterName, ListFlag, LiveChoice, UpdatedRange } from "@/lib/apps/applications/console/console-schema";

export const filterLabels: Readonly<Record<FilterName, string>> = {
  q: "Search",
  gains: "Would gain",
  platform: "Platform",
  category: "Category",
  transport: "Transport",
  country: "Country",
  perm: "Requests",
  service: "Service",
  flag: "Flag",
  updated: "Updated",
  live: "In production",
};

export const flagNames: Readonly<Record<ListFlag, string>> = {
  auto: "Approved automatically",
  administrator: "Administrator groups",
  passthrough: "Unknown-RPC passthrough",
  encryption: "RPC encryption",
};
export const updatedNames: Readonly<Record<UpdatedRange, string>> = {
  day: "Last 24 hours",
  week: "Last 7 days",
  month: "Last 30 days",
  year: "Last 365 days",
};
export const liveNames: Readonly<Record<LiveChoice, string>> = { yes: "Any version", no: "None" };
const transports = ["websocket", "webengine", "WS", "WSS"] as const;

export const choicesOf = (names: Readonly<Record<string, string>>): FilterChoice[] =>
  Object.entries(names).map(([value, label]) => ({ value, label }));

export const moreMenus = [
  { parameter: "updated", choices: choicesOf(updatedNames) },
  { parameter: "live", choices: choicesOf(liveNames) },
  { parameter: "flag", choices: choicesOf(flagNames) },
  { parameter: "transport", choices: transports.map((value) => ({ value, label: value })) },
] as const satisfies readonly { readonly parameter: FilterName; readonly choices: readonly FilterChoice[] }[];

/** A filter with a menu. */
export type FilterChoices = Required<Pick<ListFilter, "label" | "parameter" | "choices">>;

export const moreFilters = ["perm", "service", "country", ...moreMenus.map(({ parameter }) => parameter)] as const;
