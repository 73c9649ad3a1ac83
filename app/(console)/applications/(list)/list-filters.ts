import type { ActiveFilter } from "@/app/_components/list/filter-chips";
import type { FilterChoice } from "@/app/_components/list/filter-menu";
import type { ListChoices } from "@/lib/applications/console/console-queries";
import {
  buildListPath,
  type ConsoleListQuery,
  type FilterName,
  filterNames,
} from "@/lib/applications/console/console-schema";
import { filterLabels, flagNames, liveNames, updatedNames } from "./filter-words";

interface Menu {
  readonly label: string;
  readonly parameter: FilterName;
  readonly choices: readonly FilterChoice[];
}

/** What the menus above the list offer. */
export function filterMenus({ platforms, categories }: ListChoices): Menu[] {
  const plain = (value: string) => ({ value, label: value });
  const menus: Menu[] = [
    { label: filterLabels.platform, parameter: "platform", choices: platforms.map(plain) },
    {
      label: filterLabels.category,
      parameter: "category",
      choices: categories.map(({ id, name }) => ({ value: String(id), label: name })),
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
    return [{ label: filterLabels[name], value: nameOf(query, name, choices) ?? String(value), href }];
  });
}

/** What a value is called where it is no name itself. */
function nameOf(query: ConsoleListQuery, name: FilterName, { categories }: ListChoices): string | undefined {
  if (name === "category") return categories.find(({ id }) => id === query.category)?.name;
  if (name === "flag" && query.flag !== undefined) return flagNames[query.flag];
  if (name === "updated" && query.updated !== undefined) return updatedNames[query.updated];
  return name === "live" && query.live !== undefined ? liveNames[query.live] : undefined;
}

/** The list without filters. */
export function clearedPath(query: ConsoleListQuery): string {
  return buildListPath(query, Object.fromEntries(filterNames.map((name) => [name, undefined])));
}
