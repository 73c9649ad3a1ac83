import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { carOf, type PermitTable } from "@/lib/policy/permits/car";
import {
  countPermitFindings,
  describePermitFinding,
  findPermitSurprises,
  type CarPark,
} from "@/lib/policy/permits/permit-findings";
import { isPermitted, type PermitGroup } from "@/lib/policy/permits/permits";
import { hmiLevels, type HmiLevel } from "@/lib/vocabulary/terms";
import { runs } from "@/test/support/extent";

const all: CarPark = { builds: ["regular", "external"], oldest: "4.5" };
const rpc = "GetVehicleData";
const group = (name: string, levels: readonly HmiLevel[], parameters: readonly string[] | null): PermitGroup => ({
  name,
  prompt: null,
  rpcs: [{ name: rpc, levels, parameters }],
});
const table = (...groups: PermitGroup[]): PermitTable => ({ groups, items: new Set() });
const find = (groups: PermitGroup[], cars = all) =>
  findPermitSurprises(
    table(...groups),
    groups.map(({ name }) => name),
    cars,
  );
const location = group("Location", ["FULL"], ["gps"]);

describe("what cars make of groups that nobody means", () => {
  it("C1: veto", () => {
    const groups = [location, group("Empty", ["NONE"], [])];
    expect(find(groups)).toContainEqual({ kind: "veto", build: "regular", rpc, groups: ["Empty"], what: [] });
    expect(find(groups, { ...all, builds: ["external"] }).map(({ kind }) => kind)).not.toContain("veto");
    expect(find([group("Empty", ["NONE"], [])])).toEqual([]);
  });

  it("C2: narrows, where both allow it at one level", () => {
    expect(find([location, group("Open", ["FULL"], null)])).toEqual([
      { kind: "narrows", build: "regular", rpc, groups: ["Location"], what: [] },
    ]);
    expect(find([location, group("Open", ["NONE"], null)]).map(({ kind }) => kind)).toEqual(["spills"]);
  });

  it("C3: spills, with level and parameter", () => {
    const groups = [location, group("Speed", ["NONE"], ["speed"])];
    expect(find(groups)).toEqual([
      { kind: "spills", build: "external", rpc, groups: ["Location", "Speed"], what: ["speed at FULL", "gps at NONE"] },
    ]);
    expect(find(groups, { ...all, builds: ["regular"] })).toEqual([]);
    expect(find([location, group("Speed", ["FULL"], ["speed"])])).toEqual([]);
  });

  it("C15: unknown there, with the versions, down to the oldest one", () => {
    const seats = group("Seats", ["FULL"], ["seatOccupancy"]);
    const finding = { kind: "unknown there", build: "regular", rpc, groups: ["Seats"], what: ["5.1"] };
    expect(find([seats])).toEqual([finding]);
    expect(find([seats], { ...all, oldest: "6.1" })).toEqual([]);
    expect(find([group("Seats", ["FULL"], ["seatOccupancy", "gps"])])).toEqual([]);
  });

  it("counts apps over sets of groups, and says what to do", async () => {
    const groups = [location, group("Empty", ["NONE"], [])];
    const sets = [
      { names: ["Location", "Empty"], appCount: 3 },
      { names: ["Location"], appCount: 5 },
    ];
    const cars = { ...all, builds: ["regular"] as const };
    const pace = vi.fn(async () => {});
    const [counted, ...others] = await countPermitFindings(table(...groups), sets, cars, pace);
    expect(pace.mock.calls.length).toBeGreaterThanOrEqual(sets.length);
    expect([counted?.appCount, others]).toEqual([3, []]);
    expect(counted && describePermitFinding(counted.finding, 3)).toBe(
      "3 apps lose GetVehicleData in regular head units: Empty lists it without any parameter, which forbids it " +
        "whatever other groups say. Select its parameters, or take the RPC out of the group.",
    );
    expect(counted && describePermitFinding(counted.finding, null)).toMatch(/^This app loses GetVehicleData /);
  });

  it("finds something exactly where cars permit other than the groups, each by itself", () => {
    const anyGroup = fc.tuple(
      fc.shuffledSubarray([...hmiLevels], { minLength: 1 }),
      fc.option(fc.shuffledSubarray(["gps", "speed"])),
    );
    fc.assert(
      fc.property(fc.array(anyGroup, { minLength: 1, maxLength: 3 }), (said) => {
        const groups = said.map(([levels, parameters], at) => group(`G${at}`, levels, parameters));
        const kinds = find(groups, { ...all, oldest: "8.2" }).map(({ kind }) => kind);
        const names = groups.map(({ name }) => name);
        const differs = (build: "regular" | "external") =>
          hmiLevels.some((level) =>
            ["gps", "speed", "rpm"].some((parameter) => {
              const car = carOf(table(...groups), build);
              const isSaid = names.some((name) => isPermitted(car.permits([name]), rpc, level, parameter));
              return isPermitted(car.permits(names), rpc, level, parameter) !== isSaid;
            }),
          );
        expect(kinds.includes("veto") || kinds.includes("narrows")).toBe(differs("regular"));
        expect(kinds.includes("spills")).toBe(differs("external"));
      }),
      { numRuns: runs(2000, 200) },
    );
  });
});
