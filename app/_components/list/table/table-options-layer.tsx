"use client";
import { Menu } from "@base-ui/react/menu";
import { Check } from "lucide-react";
import { cn } from "@/app/_components/ui/cn";
import type { LayerProps } from "@/app/_components/overlay/lazy-layer";
import type { DataColumn } from "@/app/_components/list/table/data-column";
import { givesWay, useColumns } from "@/app/_components/list/table/use-columns";
import { itemClass, popupClass } from "@/app/_components/overlay/popup-class";
import { usePreference } from "@/app/_components/hooks/use-preference";

const densities = [
  { value: "comfortable", label: "Comfortable" },
  { value: "compact", label: "Compact" },
] as const;

export interface TableOptionsProps {
  readonly name: string;
  /** What is read of them: nothing depends on the rows. */
  readonly columns: readonly Pick<DataColumn<never>, "id" | "header" | "isPrimary" | "isOptional" | "hiddenBelow">[];
}

/** The choices, with their button. */
export function TableOptionsLayer({
  trigger,
  triggerRef,
  defaultOpen,
  name,
  columns,
}: Readonly<LayerProps & TableOptionsProps>) {
  const { visibility, chosen, setVisible, reset, isChanged } = useColumns(name, columns);
  const [density, setDensity] = usePreference("density");
  const label = <Check aria-hidden="true" className="text-link" />;
  return (
    <Menu.Root defaultOpen={defaultOpen}>
      <Menu.Trigger ref={triggerRef} render={trigger} />
      <Menu.Portal>
        <Menu.Positioner sideOffset={4} align="end" className="z-50 outline-none">
          <Menu.Popup className={cn(popupClass, "max-h-(--available-height) min-w-52 overflow-y-auto p-1")}>
            <Menu.Group>
              <Menu.GroupLabel className="px-2 py-1 text-xs font-semibold text-muted">Columns</Menu.GroupLabel>
              {columns
                .filter(({ isPrimary = false }) => !isPrimary)
                .map((column) => (
                  <Menu.CheckboxItem
                    key={column.id}
                    checked={visibility[column.id] === true && !givesWay(column, chosen)}
                    closeOnClick={false}
                    onCheckedChange={(isVisible) => {
                      setVisible(column.id, isVisible);
                    }}
                    className={itemClass}
                  >
                    <span className="grow">{column.header}</span>
                    <Menu.CheckboxItemIndicator>{label}</Menu.CheckboxItemIndicator>
                  </Menu.CheckboxItem>
                ))}
              {isChanged && (
                <Menu.Item closeOnClick={false} onClick={reset} className={cn(itemClass, "text-link")}>
                  Back to the usual columns
                </Menu.Item>
              )}
            </Menu.Group>
            <Menu.Separator className="my-1 h-px bg-line" />
            <Menu.RadioGroup
              value={density}
              onValueChange={(value: (typeof densities)[number]["value"]) => {
                setDensity(value);
              }}
            >
              <Menu.GroupLabel className="px-2 py-1 text-xs font-semibold text-muted">Rows</Menu.GroupLabel>
              {densities.map(({ value, label: word }) => (
                <Menu.RadioItem key={value} value={value} closeOnClick={false} className={itemClass}>
                  <span className="grow">{word}</span>
                  <Menu.RadioItemIndicator>{label}</Menu.RadioItemIndicator>
                </Menu.RadioItem>
              ))}
            </Menu.RadioGroup>
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}
