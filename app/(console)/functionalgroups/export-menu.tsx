"use client";
import { ChevronDown, Download } from "lucide-react";
import { Button } from "@/app/_components/button";
import { Menu } from "@/app/_components/menu";
import { buildGroupListPath, type GroupListQuery } from "@/lib/groups/list-address";

/** Saves all groups that the list shows, other pages included, as a file. */
export function ExportMenu({ query }: Readonly<{ query: GroupListQuery }>) {
  const save = (format: "csv" | "json") => {
    const [, parameters = ""] = buildGroupListPath(query, { panel: undefined }).split("?");
    const search = new URLSearchParams(parameters);
    search.set("format", format);
    const link = document.createElement("a");
    link.href = `/api/v1/ui/groups/export?${search.toString()}`;
    link.download = "";
    link.click();
  };
  return (
    <Menu
      trigger={
        <Button>
          <Download aria-hidden="true" />
          Export
          <ChevronDown aria-hidden="true" />
        </Button>
      }
      entries={[
        {
          label: "Table of RPCs (CSV)",
          onSelect: () => {
            save("csv");
          },
        },
        {
          label: "Groups (JSON)",
          onSelect: () => {
            save("json");
          },
        },
      ]}
    />
  );
}
