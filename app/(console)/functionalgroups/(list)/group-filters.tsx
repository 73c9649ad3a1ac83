import { clearedPath, listActiveFilters } from "@/app/(console)/functionalgroups/(list)/active-filters";
import { levelOrder } from "@/app/(console)/functionalgroups/levels";
import { FilterChips } from "@/app/_components/list/filter-chips";
import { FilterMenu } from "@/app/_components/list/filter-menu";
import { ListToolbar } from "@/app/_components/list/list-toolbar";
import { SearchBox } from "@/app/_components/list/search-box";
import { GroupTableOptions } from "@/app/(console)/functionalgroups/(list)/group-columns";
import type { GroupListQuery } from "@/lib/groups/list-address";
import { grantKinds, groupGrants } from "@/lib/words/group-flags";

/** Search and filters of the list; the address says them. */
export function GroupFilters({ query }: Readonly<{ query: GroupListQuery }>) {
  return (
    <>
      <ListToolbar end={<GroupTableOptions />}>
        <SearchBox label="Search groups, RPCs, parameters" />
        <FilterMenu
          label="Granted to"
          parameter="grant"
          choices={grantKinds.map((kind) => ({ value: kind, label: groupGrants[kind].label }))}
        />
        <FilterMenu
          label="HMI level"
          parameter="level"
          choices={levelOrder.map((level) => ({ value: level, label: level }))}
        />
        <FilterMenu
          label="Consent prompt"
          parameter="prompt"
          choices={[
            { value: "with", label: "Asks the driver" },
            { value: "without", label: "Does not ask" },
          ]}
        />
        <FilterMenu label="Encryption" parameter="encryption" choices={[{ value: "required", label: "Required" }]} />
      </ListToolbar>
      <FilterChips filters={listActiveFilters(query)} clearHref={clearedPath(query)} />
    </>
  );
}
