import { isObject, type JsonObject, memberOf } from "@/lib/policy/head-unit/values";
import { carOf, readPermitTable } from "@/lib/policy/permits/car";
import { type CarSettings, conditionsOn, readCarSettings } from "@/lib/policy/permits/conditions";
import { isPermitted, type Permits, type RpcPermit } from "@/lib/policy/permits/permits";
import type { Builds } from "@/lib/policy/why/requirements";
import { newestCore, type CoreVersion } from "@/lib/vocabulary/head-units";
import { type HmiLevel, hmiLevels } from "@/lib/vocabulary/terms";

/** What is left of permissions without the calls that conditions reject, asked one by one (C16 to C22). */
export function withoutRejected(permitted: Permits, entry: JsonObject, settings: CarSettings): Permits {
  const isRejected = (rpc: string, level: HmiLevel) =>
    conditionsOn({ rpc, level }, entry, settings).some((one) => one.isRejected);
  const left = [...permitted].map(([rpc, permit]) => {
    const rejected = hmiLevels.filter((level) => isRejected(rpc, level)).map((level) => [level, "no"]);
    return [rpc, { ...permit, ...Object.fromEntries(rejected) } as RpcPermit] as const;
  });
  return new Map(left.filter(([, permit]) => hmiLevels.some((level) => permit[level] !== "no")));
}

export function askServedTable(table: unknown, version: CoreVersion = newestCore) {
  const [read, settings] = [readPermitTable(table), readCarSettings(table)];
  return (served: unknown, rpc: string, level: HmiLevel, parameter: string | null): Builds => {
    const entry = served === "default" ? memberOf(memberOf(table, "app_policies"), "default") : served;
    if (!isObject(entry)) return { regular: false, external: false };
    const names = entry["groups"] as string[];
    const isRejected = conditionsOn({ rpc, level, parameter }, entry, settings).some((one) => one.isRejected);
    const ask = (build: "regular" | "external") =>
      !isRejected && isPermitted(carOf(read, build, version).permits(names), rpc, level, parameter);
    return { regular: ask("regular"), external: ask("external") };
  };
}
