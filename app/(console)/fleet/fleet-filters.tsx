"use client";
import { FilterMenu } from "@/app/_components/list/filter-menu";

/** Which vehicles the page is about. A software and a country replace each other (`fleet.md` S8). */
export function FleetFilters({
  software,
  countries,
}: Readonly<{ software: readonly string[]; countries: readonly string[] }>) {
  const choices = (values: readonly string[]) => values.map((value) => ({ value, label: value }));
  return (
    <>
      <FilterMenu
        label="Environment"
        parameter="environment"
        choices={[{ value: "staging", label: "Staging" }]}
        anyLabel="Production"
      />
      <FilterMenu
        label="Software"
        parameter="software"
        choices={choices(software)}
        anyLabel="All"
        replaces={["country"]}
      />
      <FilterMenu
        label="Country"
        parameter="country"
        choices={choices(countries)}
        anyLabel="All"
        replaces={["software"]}
      />
    </>
  );
}
