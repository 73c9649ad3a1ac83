import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Runs a full garbage collection: reading all apps leaves garbage that V8 would keep for hours. */
export function collectGarbage(): void {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as (() => void) | undefined;
  collect?.();
}

const growthPercent = 30;

/** Keeps heaps from growing to several times their contents: garbage of a sync survives quick collections. */
export function boundHeapGrowth(): void {
  setFlagsFromString(`--heap-growing-percent=${growthPercent}`);
}
