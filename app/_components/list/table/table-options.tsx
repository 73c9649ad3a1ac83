import { Settings2 } from "lucide-react";
import type { DataColumn } from "@/app/_components/list/table/data-column";
import { givesWay, useColumns } from "@/app/_components/list/table/use-columns";
import { Menu } from "@/app/_components/overlay/menu";
import { IconButton } from "@/app/_components/ui/icon-button";

export function TableOptions({
  name,
  columns,
}: Readonly<{
  name: string;
  /** Only these members are read: none depends on the rows. */
  columns: readonly Pick<DataColumn<never>, "id" | "header" | "isPrimary" | "isOptional" | "hiddenBelow">[];
}>) {
  const { visibility, chosen, setVisible, reset, isChanged } = useColumns(name, columns);
  const listColumns = () =>
    columns
      .filter(({ isPrimary = false }) => !isPrimary)
      .map((column) => ({
        id: column.id,
        label: column.header,
        isOn: visibility[column.id] === true && !givesWay(column, chosen),
      }));
  return (
    <Menu
      trigger={<IconButton icon={Settings2} label="Columns" variant="secondary" />}
      entries={() => [
        {
          heading: "Columns",
          switches: listColumns(),
          onSwitch: setVisible,
          reset: isChanged ? { label: "Reset columns", onSelect: reset } : undefined,
        },
      ]}
    />
  );
}
