import { carOf, readPermitTable } from "@/lib/policy/permits/car";
import { isPermitted } from "@/lib/policy/permits/permits";
import type { Builds } from "@/lib/simulator/wants";
import { newestCore, type CoreVersion } from "@/lib/labels/head-units";
import type { HmiLevel } from "@/lib/labels/vocabulary";

/** What vehicles of both builds do with a served table: what an entry with these groups permits. */
export function askServedTable(table: unknown, version: CoreVersion = newestCore) {
  const read = readPermitTable(table);
  return (names: readonly string[], rpc: string, level: HmiLevel, parameter: string | null): Builds => {
    const ask = (build: "regular" | "external") =>
      isPermitted(carOf(read, build, version).permits(names), rpc, level, parameter);
    return { regular: ask("regular"), external: ask("external") };
  };
}
