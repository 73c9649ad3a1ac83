import { cloneElement, type ReactElement } from "react";

/**
 * A few words about a control, on hover and on focus. Never the only place of what a reader needs: touch does not show
 * it. For the meaning of a term use `Term`. `TooltipLayer` shows it.
 *
 * @example <Tooltip text="Copy the address"><button …/></Tooltip>
 */
export function Tooltip({
  text,
  side = "bottom",
  children,
}: Readonly<{
  text: string;
  side?: "top" | "bottom" | "left" | "right";
  children: ReactElement<{ "data-tooltip"?: string; "data-tooltip-side"?: string }>;
}>) {
  return cloneElement(children, { "data-tooltip": text, "data-tooltip-side": side });
}
