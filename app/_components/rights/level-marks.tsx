import { levelColumns } from "@/app/_components/rights/rights";
import type { HmiLevel } from "@/lib/labels/vocabulary";

/** Levels as words: "FULL, LIMITED". */
export function describeLevels(levels: readonly HmiLevel[]): string {
  return levelColumns.filter((level) => levels.includes(level)).join(", ");
}

/** Levels as their first letters, each in its place: "FL··". */
export function markLevels(levels: readonly HmiLevel[]): string {
  return levelColumns.map((level) => (levels.includes(level) ? level.slice(0, 1) : "·")).join("");
}

/** What the letters stand for. */
export const markedLevels = levelColumns.map((level) => `${level.slice(0, 1)} ${level}`).join(", ");
