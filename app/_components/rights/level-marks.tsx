import { levelColumns } from "@/app/_components/rights/rights";
import type { HmiLevel } from "@/lib/vocabulary/terms";

export interface MarkedLevels {
  readonly levels: readonly HmiLevel[];
  readonly differing?: readonly HmiLevel[];
}

const order = (levels: readonly HmiLevel[]) => levelColumns.filter((level) => levels.includes(level)).join(", ");

/** "FULL, LIMITED; BACKGROUND in some head units" */
export function describeLevels({ levels, differing = [] }: MarkedLevels): string {
  const some = differing.length === 0 ? "" : `${order(differing)} in some head units`;
  return [order(levels), some].filter(Boolean).join("; ");
}

/** "FLb·"; lower case if only some head units permit it. */
export function markLevels({ levels, differing = [] }: MarkedLevels): string {
  return levelColumns
    .map((level) => {
      const letter = level.slice(0, 1);
      return levels.includes(level) ? letter : differing.includes(level) ? letter.toLowerCase() : "·";
    })
    .join("");
}

export const markedLevels = levelColumns.map((level) => `${level.slice(0, 1)} ${level}`).join(", ");
