import type { FilterChoice } from "@/app/_components/list/filter-menu";
import type { ListFilter } from "@/app/_components/list/list-filters";
import type { ListChoices } from "@/lib/apps/applications/console/console-queries";
import { filterLabels, moreMenus } from "./filter-labels";

/** The filters of the list; those without a menu of their own stand behind "More filters". */
export function buildFilters({ platforms, categories }: ListChoices): readonly ListFilter[] {
  const menus = new Map<string, readonly FilterChoice[]>([
    ["platform", platforms.map((value) => ({ value, label: value }))],
    ["category", categories.map(({ id, name }) => ({ value: String(id), label: name }))],
  ]);
  return Object.entries(filterLabels)
    .filter(([parameter]) => parameter !== "q")
    .map(([parameter, label]) => ({
      label,
      parameter,
      choices: menus.get(parameter) ?? moreMenus.find((menu) => menu.parameter === parameter)?.choices ?? [],
      hasMenu: (menus.get(parameter) ?? []).length > 0,
    }));
}
