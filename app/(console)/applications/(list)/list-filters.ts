import type { ListFilter } from "@/app/_components/list/list-filters";
import type { ListChoices } from "@/lib/applications/console/console-queries";
import { filterLabels, moreFilters, moreMenus } from "./filter-words";

/** The filters of the list; those without a menu of their own stand behind "More filters". */
export function buildFilters({ platforms, categories }: ListChoices): readonly ListFilter[] {
  const menus = [
    { parameter: "platform", choices: platforms.map((value) => ({ value, label: value })) },
    { parameter: "category", choices: categories.map(({ id, name }) => ({ value: String(id), label: name })) },
  ] as const;
  return [
    ...menus.map(({ parameter, choices }) => ({
      label: filterLabels[parameter],
      parameter,
      choices,
      hasMenu: choices.length > 0,
    })),
    ...moreFilters.map((parameter) => ({
      label: filterLabels[parameter],
      parameter,
      choices: moreMenus.find((menu) => menu.parameter === parameter)?.choices ?? [],
      hasMenu: false,
    })),
  ];
}
