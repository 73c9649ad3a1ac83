import { describe, expect, it } from "vitest";
import { compareByArea, describeArea, findNewPrompts, rightsByArea } from "@/lib/policy/effect/rights-by-area";
import { permits, type PermitGroup } from "@/lib/policy/permits/permits";
import { carBuilds } from "@/lib/vocabulary/head-units";
import { hmiLevels, type HmiLevel } from "@/lib/vocabulary/terms";

const group = (rpc: string, parameters: readonly string[] | null, levels: readonly HmiLevel[] = ["FULL"]) => ({
  ...{ name: `${rpc}-${String(parameters)}-${levels.join()}`, prompt: null },
  rpcs: [{ name: rpc, levels, parameters }],
});
const both = (groups: readonly PermitGroup[]) => ({
  regular: permits(groups, "regular", "all"),
  external: permits(groups, "external", "all"),
});
const said = (before: readonly PermitGroup[], after: readonly PermitGroup[]) =>
  compareByArea(both(before), both(after), carBuilds).map((one) => `${one.kind} ${one.area}: ${describeArea(one)}`);

describe("L30: rights by area", () => {
  it("puts each vehicle data item and each RPC into its area, the riskiest first, gains before losses", () => {
    const [data, alert] = [group("GetVehicleData", ["speed", "vin", "gps"]), group("Alert", null)];
    const before = [group("ButtonPress", null)];
    expect(said(before, [alert, data, group("PerformAudioPassThru", null)])).toEqual([
      ...["gained location: location", "gained driver: vin", "gained vehicle: speed"],
      ...["gained microphone: microphone and calls", "gained other: Alert", "lost control: remote control"],
    ]);
    expect(said(before, before)).toEqual([]);
  });

  it("says that an RPC without a list of parameters means all vehicle data", () =>
    expect(said([], [group("OnVehicleData", null)])).toEqual([
      "gained location: location",
      "gained driver: all driver and VIN data",
      "gained vehicle: all vehicle data",
    ]));

  it("names what is new in an area that an app had something of, and tells further levels from further data", () => {
    const gps = group("GetVehicleData", ["gps"]);
    expect(said([gps], [group("GetVehicleData", ["gps", "heading"])])).toEqual(["gained location: heading"]);
    expect(said([gps], [group("GetVehicleData", ["gps"], hmiLevels)])).toEqual([
      "gained location: location at more levels",
    ]);
    expect(said([group("GetVehicleData", ["gps"], hmiLevels)], [gps])).toEqual([
      "lost location: location at fewer levels",
    ]);
    expect(said([group("GetVehicleData", ["gps", "heading"])], [gps])).toEqual(["lost location: heading"]);
  });

  it("shortens long lists, and knows changes without what was before", () => {
    const names = ["a", "b", "c", "d", "e"];
    const change = { ...{ rpc: "GetVehicleData", builds: [...carBuilds], levels: [...hmiLevels] }, parameters: names };
    const [area] = rightsByArea([{ ...change, kind: "gained" }], carBuilds);
    expect(area).toEqual({ area: "vehicle", kind: "gained", extent: "some", names });
    expect(area && describeArea(area)).toBe("a, b, c and 2 more");
  });

  it("names the groups for which the driver is newly asked; regular head units ask nothing", () => {
    const asks = (name: string, prompt: string | null) => ({ name, prompt });
    const [before, after] = [
      [asks("A", "Location"), asks("B", null)],
      [asks("A", "Location"), asks("B", "Speed")],
    ];
    expect(findNewPrompts(before, after, carBuilds)).toEqual([{ group: "B", prompt: "Speed" }]);
    expect(findNewPrompts(before, after, ["regular"])).toEqual([]);
    expect(findNewPrompts(after, before, carBuilds)).toEqual([]);
  });
});
