import { describe, expect, it } from "vitest";
import { hasWithheld, mergeRights, narrowRows, stateOf } from "@/app/_components/rights/rights";
import { aCell, aGroupReason, aMatrix } from "@/test/support/simulations";

describe("L15: what several groups allow together", () => {
  const rpc = (name: string, levels: readonly ("FULL" | "LIMITED" | "BACKGROUND")[], parameters: string[] = []) => ({
    ...{ name, levels: [...levels], parameters },
    is_restricted: parameters.length > 0,
  });

  it("joins the levels of an RPC and names every group that gives one", () => {
    const [alert] = mergeRights([
      aGroupReason({ group: "A", rpcs: [rpc("Alert", ["FULL"])] }),
      aGroupReason({ group: "B", rpcs: [rpc("Alert", ["FULL", "LIMITED"])] }),
    ]);
    const cellOf = (level: string) => alert?.cells.find((cell) => cell.level === level);
    expect(cellOf("FULL")?.groups).toEqual(["A", "B"]);
    expect(cellOf("LIMITED")?.groups).toEqual(["B"]);
    expect(cellOf("NONE")?.is_granted).toBe(false);
  });

  it("asks the driver only where every group that gives a level has a prompt", () => {
    const rows = mergeRights([
      aGroupReason({ group: "A", consent_prompt: "Location", rpcs: [rpc("Alert", ["FULL", "LIMITED"])] }),
      aGroupReason({ group: "B", rpcs: [rpc("Alert", ["FULL"])] }),
    ]);
    const states = new Map(rows[0]?.cells.map((cell) => [cell.level, stateOf(cell)]));
    expect(states.get("FULL")).toBe("granted");
    expect(states.get("LIMITED")).toBe("consent");
    expect(states.get("NONE")).toBe("none");
  });

  it("lists parameters below their RPC at the levels of their own groups, sorted by name", () => {
    const rows = mergeRights([
      aGroupReason({ rpcs: [rpc("GetVehicleData", ["FULL"], ["speed", "gps"]), rpc("Alert", ["FULL"])] }),
      aGroupReason({ rpcs: [rpc("GetVehicleData", ["BACKGROUND"], ["gps"])] }),
    ]);
    expect(rows.map(({ name }) => name)).toEqual(["Alert", "GetVehicleData"]);
    expect(rows[1]?.parameters.map(({ name }) => name)).toEqual(["gps", "speed"]);
    expect(rows[1]?.parameters.map(({ cells }) => cells.filter((cell) => cell.is_granted).length)).toEqual([2, 1]);
  });
});

describe("the matrix of an app", () => {
  const { rpcs } = aMatrix();

  it("tells what is asked for and not granted from what nobody asks for", () => {
    expect(stateOf(aCell("FULL", { is_asked: true }))).toBe("withheld");
    expect(stateOf(aCell("FULL"))).toBe("none");
    expect(rpcs.map(hasWithheld)).toEqual([false, true]);
  });

  it("is narrowed by name and by what is not granted; of an RPC found by a parameter only that is left", () => {
    const names = (text: string, isWithheldOnly = false) =>
      narrowRows(rpcs, text, isWithheldOnly).map(({ name }) => name);
    expect(names("")).toEqual(["Alert", "GetVehicleData"]);
    expect(names(" GPS ")).toEqual(["GetVehicleData"]);
    expect(names("alert")).toEqual(["Alert"]);
    expect(names("", true)).toEqual(["GetVehicleData"]);
    expect(names("alert", true)).toEqual([]);
    const speed = { name: "speed", kind: "parameter" as const, cells: [] };
    const both = rpcs.map((row) => ({ ...row, parameters: [...row.parameters, speed] }));
    expect(narrowRows(both, "gps", false).flatMap(({ parameters }) => parameters.map(({ name }) => name))).toEqual([
      "gps",
    ]);
  });
});
