import { cloneElement, type ReactElement } from "react";

/** Never the only source of something that readers need: touch devices don't show it. `TooltipLayer` renders it. */
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
