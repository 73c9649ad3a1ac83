import type { HmiLevel } from "@/lib/labels/vocabulary";

/** HMI levels from the most visible to the least: the order of the columns, and of the API (`api.md` 11.2). */
export const levelOrder = ["FULL", "LIMITED", "BACKGROUND", "NONE"] as const satisfies readonly HmiLevel[];

export const levelLabels = {
  FULL: "Full: the app fills the screen.",
  LIMITED: "Limited: the app is active without the screen, as a navigation or media app may be.",
  BACKGROUND: "Background: the app runs, the driver uses something else.",
  NONE: "None: the app is connected, but the driver has not started it.",
} as const satisfies Record<HmiLevel, string>;

/** The level and all that are more visible. */
export function fromLevelUp(level: HmiLevel): HmiLevel[] {
  return levelOrder.slice(0, levelOrder.indexOf(level) + 1);
}

/** The levels in the order above, each once. */
export function orderLevels(levels: Iterable<HmiLevel>): HmiLevel[] {
  const set = new Set(levels);
  return levelOrder.filter((level) => set.has(level));
}

/** Whether a level is missing above one that is set: allowed, but hardly ever meant. */
export function hasGap(levels: readonly HmiLevel[]): boolean {
  return fillGap(levels).length > levels.length;
}

/** All levels down to the least visible one that is set. */
export function fillGap(levels: readonly HmiLevel[]): HmiLevel[] {
  const last = levelOrder.findLast((level) => levels.includes(level));
  return last === undefined ? [] : fromLevelUp(last);
}
