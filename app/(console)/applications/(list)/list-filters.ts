import type { ActiveFilter } from "@/app/_components/list/filter-chips";
import type { FilterChoice } from "@/app/_components/list/filter-menu";
import type { ListChoices } from "@/lib/applications/console-queries";
import {
  buildListPath,
  type ConsoleListQuery,
  defaultPageSize,
  type FilterName,
  filterNames,
  type ListFlag,
} from "@/lib/applications/console-schema";

const labels: Readonly<Record<FilterName, string>> = {
  q: "Search",
  platform: "Platform",
  category: "Category",
  transport: "Transport",
  country: "Country",
  perm: "Requests",
  service: "Service",
  flag: "Flag",
};

const flagNames: Readonly<Record<ListFlag, string>> = {
  auto: "Approved automatically",
  administrator: "Administrator groups",
  passthrough: "Unknown-RPC passthrough",
  encryption: "RPC encryption",
};
const transports = ["websocket", "webengine", "WS", "WSS"] as const;

interface Menu {
  readonly label: string;
  readonly parameter: FilterName;
  readonly choices: readonly FilterChoice[];
}

/** What the menus above the list offer. */
export function filterMenus({ platforms, categories }: ListChoices): Menu[] {
  const plain = (value: string) => ({ value, label: value });
  const menus: Menu[] = [
    { label: "Platform", parameter: "platform", choices: platforms.map(plain) },
    {
      label: "Category",
      parameter: "category",
      choices: categories.map(({ id, name }) => ({ value: String(id), label: name })),
    },
    { label: "Transport", parameter: "transport", choices: transports.map(plain) },
    {
      label: "Flag",
      parameter: "flag",
      choices: Object.entries(flagNames).map(([value, label]) => ({ value, label })),
    },
  ];
  return menus.filter(({ choices }) => choices.length > 0);
}

/** The filters that are on, each with the list without it. */
export function activeFilters(query: ConsoleListQuery, choices: ListChoices): ActiveFilter[] {
  return filterNames.flatMap((name) => {
    const value = query[name];
    if (value === undefined) return [];
    const href = buildListPath(query, { [name]: undefined });
    return [{ label: labels[name], value: nameOf(query, name, choices) ?? String(value), href }];
  });
}

/** What a value is called where it is no name itself. */
function nameOf(query: ConsoleListQuery, name: FilterName, { categories }: ListChoices): string | undefined {
  if (name === "category") return categories.find(({ id }) => id === query.category)?.name;
  return name === "flag" && query.flag !== undefined ? flagNames[query.flag] : undefined;
}

/** The list without filters. */
export function clearedPath(query: ConsoleListQuery): string {
  return buildListPath(query, Object.fromEntries(filterNames.map((name) => [name, undefined])));
}

/** Where the whole list, under these filters and in this order, can be had as a file. */
export function exportPaths(query: ConsoleListQuery): { readonly csv: string; readonly json: string } {
  const whole = { after: undefined, before: undefined, size: defaultPageSize } as const;
  const [, parameters = ""] = buildListPath(query, whole).split("?");
  const path = (format: string) => {
    const all = new URLSearchParams(parameters);
    all.set("format", format);
    return `/api/v1/ui/applications/export?${all.toString()}`;
  };
  return { csv: path("csv"), json: path("json") };
}
