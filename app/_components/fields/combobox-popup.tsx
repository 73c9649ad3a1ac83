import { Combobox } from "@base-ui/react/combobox";
import type { ComponentProps } from "react";
import { popupClass } from "@/app/_components/overlay/popup-class";
import { cn } from "@/app/_components/ui/cn";

export function ComboboxPopup({
  emptyText,
  children,
}: Readonly<{
  emptyText: string;
  /** Renders one option as a `Combobox.Item`. */
  children: ComponentProps<typeof Combobox.List>["children"];
}>) {
  return (
    <Combobox.Portal>
      <Combobox.Positioner sideOffset={4} className="z-50 outline-none">
        <Combobox.Popup className={cn(popupClass, "w-(--anchor-width) min-w-64")}>
          <Combobox.Empty>
            <p className="px-3 py-3 text-table text-muted">{emptyText}</p>
          </Combobox.Empty>
          <Combobox.List className="max-h-[min(20rem,var(--available-height))] overflow-y-auto overscroll-contain p-1 data-empty:p-0">
            {children}
          </Combobox.List>
        </Combobox.Popup>
      </Combobox.Positioner>
    </Combobox.Portal>
  );
}
