import { cloneElement, type ReactElement } from "react";

/**
 * A short description of a control, on hover and focus. Never the only source of something that readers need: touch
 * devices don't show it. For the meaning of a term use `Term`. `TooltipLayer` renders it.
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
