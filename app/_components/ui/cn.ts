import { clsx, type ClassValue } from "clsx";
import { extendTailwindMerge } from "tailwind-merge";

const merge = extendTailwindMerge({
  extend: { theme: { text: ["2xs", "table"], radius: ["control", "card"], shadow: ["card", "popup", "dialog"] } },
});

/** Of two conflicting classes, the later wins. */
export function cn(...classes: ClassValue[]): string {
  return merge(clsx(classes));
}
