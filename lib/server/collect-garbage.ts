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
