import { describe, expect, it } from "vitest";
import type { RpcSpecParam, SnapshotRpcSpec, SnapshotVehicleData, VehicleDataItem } from "@/lib/policy/table/snapshot";
import { whyNameRefused } from "@/lib/policy/table/vehicle-data";
import type { Environment } from "@/lib/vocabulary/terms";
import { builtTable, reportsOf } from "@/test/support/answers";
import {
  anRpcSpec,
  anRpcSpecParam,
  aSnapshot,
  aVehicleDataItem,
  aVehicleDataRecord,
  inBothViews,
  viewsOf,
} from "@/test/support/builders";

async function section(
  rpcSpec: SnapshotRpcSpec | null,
  records: readonly SnapshotVehicleData[] = [],
  environment: Environment = "production",
) {
  const vehicleData = viewsOf(records, ({ name }) => name);
  return (await builtTable(aSnapshot({ rpcSpec, vehicleData }), { environment })).vehicle_data;
}

const specOf = (...params: readonly RpcSpecParam[]) =>
  anRpcSpec({ functions: [{ name: "GetVehicleData", messageType: "response", params }] });
const namesOf = (items: readonly { name: string }[]) => items.map(({ name }) => name);
const customOf = async (...items: readonly Partial<VehicleDataItem>[]) => {
  const records = items.map((item, index) => aVehicleDataRecord({ id: index + 1, name: `item${index}`, ...item }));
  return (await section(null, records)).schema_items;
};

describe("V1: schema_version", () => {
  const spec = (storedAt: number) => anRpcSpec({ storedAt });
  const custom = (partial: Partial<SnapshotVehicleData>) => aVehicleDataRecord({ id: 1, ...partial });

  it.each([
    ["neither", null, [], "0.000"],
    ["the specification", spec(1_768_003_200_000), [], "1768003200.000"],
    ["a record", null, [custom({ savedAt: 1_772_359_200_123 })], "1772359200.123"],
    ["the greater one, the record", spec(5_000), [custom({ savedAt: 5_001 })], "5.001"],
    ["the greater one, the specification", spec(5_002), [custom({ savedAt: 5_001 })], "5.002"],
  ])("V1, T10: in seconds with three decimals from %s", async (_, rpcSpec, records, expected) => {
    expect((await section(rpcSpec, records)).schema_version).toBe(expected);
  });

  it("V1: counts deleted records", async () => {
    const records = [custom({ savedAt: 9_000, isDeleted: true })];
    for (const environment of ["staging", "production"] as const) {
      expect((await section(null, records, environment)).schema_version).toBe("9.000");
    }
  });
});

describe("V5: custom items", () => {
  const refused = ["", "a b", "a\tb", "a\n", ...Array.from("!@#$%^&*", (sign) => `a${sign}b`), "ü".repeat(128)];
  it.each(refused)("V5, T16: leaves out name or key %j, as root and as child", async (text) => {
    for (const bad of [{ name: text }, { key: text }]) {
      const params = [aVehicleDataItem({ name: "good" }), aVehicleDataItem(bad)];
      const items = await customOf({ name: "parent", type: "Struct", params }, { name: "usable" }, bad, {
        name: "only",
        type: "Struct",
        params: [aVehicleDataItem(bad)],
      });
      expect(namesOf(items)).toEqual(["parent", "usable"]);
      expect(namesOf(items[0].params)).toEqual(["good"]);
    }
    expect(whyNameRefused(text)).toBeTypeOf("string");
  });

  it("V5: takes every other name and key", async () => {
    for (const text of ["a", "a-b_c.d:e", "Öl", "ü".repeat(127), "x".repeat(255)]) {
      expect(namesOf(await customOf({ name: text, key: text }))).toEqual([text]);
      expect(whyNameRefused(text)).toBeNull();
    }
  });

  it("V5: reports what it leaves out with its path", async () => {
    const params = [aVehicleDataItem({ name: "child", key: "" })];
    const record = aVehicleDataRecord({ name: "root", type: "Struct", params });
    expect(await reportsOf(aSnapshot({ vehicleData: inBothViews(record) }), "staging")).toEqual([
      "vehicle data root.child: its key is refused by head units: empty",
      "vehicle data root: a struct without usable parameters",
    ]);
  });
});

describe("V6: members", () => {
  it.each([
    [true, true],
    ["true", true],
    ["false", false],
    ["TRUE", false],
    ["1", false],
    [false, false],
  ])("V6: %j is the boolean %j", async (stored, expected) => {
    const flags = { deprecated: stored, removed: stored, mandatory: stored, array: stored };
    const boolean = { deprecated: expected, removed: expected, mandatory: expected, array: expected };
    const native = (await section(specOf(anRpcSpecParam(flags)))).schema_items[0];
    // Finding A8: a native item is no array unless it says so.
    const { array: _, ...others } = boolean;
    expect(native).toMatchObject(others);
    expect(native.array).toBe(expected ? true : undefined);
    expect((await customOf(flags))[0]).toMatchObject(boolean);
  });

  it("V6: a limit that is no number is omitted", async () => {
    const [item] = (await section(specOf(anRpcSpecParam({ minvalue: "few", maxvalue: "10" })))).schema_items;
    expect(item).toEqual({ name: "speed", type: "Float", key: "speed", mandatory: false, maxvalue: 10 });
  });
});
