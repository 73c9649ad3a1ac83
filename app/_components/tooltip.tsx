"use client";
import { Tooltip as Base } from "@base-ui/react/tooltip";
import type { ReactElement, ReactNode } from "react";

/**
 * A few words about a control, on hover and on focus. Never the only place of what a reader needs: touch does not show
 * it. For the meaning of a term use `Term`.
 *
 * @example <Tooltip text="Copy the address"><button …/></Tooltip>
 */
export function Tooltip({
  text,
  side = "bottom",
  children,
}: Readonly<{ text: ReactNode; side?: "top" | "bottom" | "left" | "right"; children: ReactElement }>) {
  return (
    <Base.Root>
      <Base.Trigger render={children} />
      <Base.Portal>
        <Base.Positioner sideOffset={6} side={side} className="z-60">
          <Base.Popup className="max-w-72 rounded-control bg-text px-2 py-1 text-xs font-medium text-page shadow-popup transition-opacity duration-100 data-ending-style:opacity-0 data-starting-style:opacity-0 forced-colors:border">
            {text}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
