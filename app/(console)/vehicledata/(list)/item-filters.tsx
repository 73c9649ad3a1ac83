import { FilterChips } from "@/app/_components/list/filter-chips";
import { FilterMenu } from "@/app/_components/list/filter-menu";
import { ListToolbar } from "@/app/_components/list/list-toolbar";
import { SearchBox } from "@/app/_components/list/search-box";
import { ItemTableOptions } from "@/app/(console)/vehicledata/(list)/item-table-options";
import type { VehicleDataListQuery } from "@/lib/vehicle-data/list-address";

/** Search and filters of the list; the address says them. */
export function ItemFilters({
  query,
  types,
  href,
}: Readonly<{
  query: VehicleDataListQuery;
  types: readonly string[];
  href: (changes: Readonly<Record<string, string | null>>) => string;
}>) {
  const filters = [
    ...(query.q === "" ? [] : [{ label: "Search", value: query.q, href: href({ q: null }) }]),
    ...(query.type === "" ? [] : [{ label: "Type", value: query.type, href: href({ type: null }) }]),
    ...(query.use === "" ? [] : [{ label: "Use", value: "in no group", href: href({ use: null }) }]),
  ];
  return (
    <>
      <ListToolbar end={<ItemTableOptions />}>
        <SearchBox label="Search names, keys, types" />
        <FilterMenu
          label="Type"
          parameter="type"
          choices={[...new Set([...types, ...(query.type === "" ? [] : [query.type])])].map((type) => ({
            value: type,
            label: type,
          }))}
        />
        <FilterMenu label="Use" parameter="use" choices={[{ value: "unused", label: "In no functional group" }]} />
      </ListToolbar>
      <FilterChips filters={filters} clearHref={href({ q: null, type: null, use: null })} />
    </>
  );
}
