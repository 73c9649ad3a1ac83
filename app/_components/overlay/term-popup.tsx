import { Popover } from "@base-ui/react/popover";
import type { ComponentProps, ReactNode, RefObject } from "react";
import type { OpenState } from "@/app/_components/overlay/opener";

export function TermPopup({
  anchor,
  open,
  onOpenChange,
  hover,
  children,
}: Readonly<
  OpenState & {
    anchor: RefObject<HTMLElement | null>;
    hover: Pick<ComponentProps<"div">, "onPointerEnter" | "onPointerLeave">;
    children: ReactNode;
  }
>) {
  return (
    <Popover.Root open={open} onOpenChange={(isOpen) => onOpenChange(isOpen)}>
      <Popover.Portal>
        <Popover.Positioner anchor={anchor} sideOffset={6} className="z-60">
          <Popover.Popup
            {...hover}
            data-hint=""
            initialFocus={false}
            className="max-w-80 rounded-card border border-line bg-raised p-3 text-table text-text shadow-popup transition-opacity duration-100 data-ending-style:opacity-0 data-starting-style:opacity-0"
          >
            <Popover.Description render={<div />}>{children}</Popover.Description>
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}
