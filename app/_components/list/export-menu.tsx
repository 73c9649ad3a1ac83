import { ChevronDown, Download } from "lucide-react";
import { useSearchParams } from "next/navigation";
import type { ReactElement } from "react";
import { Button } from "@/app/_components/ui/button";
import { changeAddress } from "@/app/_components/list/list-address";
import { Menu } from "@/app/_components/overlay/menu";

/** Exports all pages. The route parses the address as the list does. */
export function ExportMenu({
  path,
  csv,
  json,
  trigger = (
    <Button>
      <Download aria-hidden="true" />
      <span className="max-sm:sr-only">Export</span>
      <ChevronDown aria-hidden="true" />
    </Button>
  ),
}: Readonly<{
  path: string;
  csv: string;
  json: string;
  trigger?: ReactElement;
}>) {
  const parameters = useSearchParams();
  const save = (format: "csv" | "json") => {
    const link = document.createElement("a");
    link.href = changeAddress(path, parameters, { format, size: null });
    link.download = "";
    link.click();
  };
  return (
    <Menu
      trigger={trigger}
      entries={[
        { label: csv, onSelect: () => save("csv") },
        { label: json, onSelect: () => save("json") },
      ]}
    />
  );
}
