"use client";
import { ChevronDown, Download } from "lucide-react";
import { useSearchParams } from "next/navigation";
import { Button } from "@/app/_components/button";
import { changeAddress } from "@/app/_components/list/list-address";
import { Menu } from "@/app/_components/menu";

/** Saves all messages that the list shows, other pages included, as a file. */
export function ExportMenu() {
  const parameters = useSearchParams();
  const save = (format: "csv" | "json") => {
    const link = document.createElement("a");
    link.href = changeAddress("/api/v1/ui/messages/export", parameters, { format, size: null });
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
          label: "Table of texts (CSV)",
          onSelect: () => {
            save("csv");
          },
        },
        {
          label: "Messages (JSON)",
          onSelect: () => {
            save("json");
          },
        },
      ]}
    />
  );
}
