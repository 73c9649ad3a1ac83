"use client";
import { Popover } from "@base-ui/react/popover";
import type { ReactNode } from "react";

/**
 * A technical term with its meaning in place: on hover, focus and tap; stays while pointed at, goes with Escape.
 *
 * @example <Term word="HMI level">How visible an app must be for a call to be allowed.</Term>
 */
export function Term({ word, children }: Readonly<{ word: ReactNode; children: ReactNode }>) {
  return (
    <Popover.Root>
      <Popover.Trigger
        openOnHover
        delay={250}
        nativeButton
        className="cursor-help rounded-xs text-left underline decoration-dotted decoration-1 underline-offset-4"
      >
        {word}
      </Popover.Trigger>
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
