"use client";
import { Popover } from "@base-ui/react/popover";
import type { ReactNode } from "react";
import type { LayerProps } from "@/app/_components/overlay/lazy-layer";

/** The term with its meaning. */
export function TermLayer({
  trigger,
  triggerRef,
  defaultOpen,
  children,
}: Readonly<LayerProps & { children: ReactNode }>) {
  return (
    <Popover.Root defaultOpen={defaultOpen}>
      <Popover.Trigger openOnHover delay={250} ref={triggerRef} render={trigger} />
      <Popover.Portal>
        <Popover.Positioner sideOffset={6} className="z-60">
          <Popover.Popup
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
