import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Runs a full garbage collection: reading all apps leaves garbage that the engine would keep for hours. */
export function collectGarbage(): void {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as (() => void) | undefined;
  collect?.();
}

/** How much a heap may grow, in percent of what lives in it, before the engine looks for garbage. */
const growthPercent = 30;

/** Keeps heaps from growing to several times their contents: a sync leaves garbage that outlives quick collections. */
export function boundHeapGrowth(): void {
  setFlagsFromString(`--heap-growing-percent=${growthPercent}`);
}
