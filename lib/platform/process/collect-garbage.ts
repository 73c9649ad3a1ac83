import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/**
 * Runs one full garbage collection, which Node offers only behind a flag.
 *
 * Meant for the moment after the first load: reading all apps leaves garbage of several times their size, and the
 * engine, which sees plenty of free memory, would keep it for hours.
 */
export function collectGarbage(): void {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as (() => void) | undefined;
  collect?.();
}

/** How much a heap may grow, in percent of what lives in it, before the engine looks for garbage. */
const growthPercent = 30;

/**
 * Keeps the heaps of this process from growing to several times of what lives in them, which the engine lets them do
 * while memory is plenty: a synchronisation of thousands of apps leaves garbage that outlives the quick collections.
 */
export function boundHeapGrowth(): void {
  setFlagsFromString(`--heap-growing-percent=${growthPercent}`);
}
