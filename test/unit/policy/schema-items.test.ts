import { describe, expect, it } from "vitest";
import type { RpcSpecParam, SnapshotRpcSpec, SnapshotVehicleData, VehicleDataItem } from "@/lib/policy/table/snapshot";
import { whyNameRefused } from "@/lib/policy/table/vehicle-data";
import type { Environment } from "@/lib/labels/vocabulary";
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

/** The section as a vehicle gets it, checked as a head unit checks it. */
async function section(
  rpcSpec: SnapshotRpcSpec | null,
  records: readonly SnapshotVehicleData[] = [],
  environment: Environment = "production",
) {
  const vehicleData = viewsOf(records, ({ name }) => name);
  return (await builtTable(aSnapshot({ rpcSpec, vehicleData }), { environment })).vehicle_data;
}

const response = (params: readonly RpcSpecParam[]) => ({
  name: "GetVehicleData",
  messageType: "response",
  params,
});
const specOf = (params: readonly RpcSpecParam[], structs: SnapshotRpcSpec["structs"] = []) =>
  anRpcSpec({ functions: [response(params)], structs });
const customOf = async (...items: readonly Partial<VehicleDataItem>[]) => {
  const records = items.map((item, index) => aVehicleDataRecord({ id: index + 1, name: `item${index}`, ...item }));
  return (await section(null, records)).schema_items;
};
const namesOf = (items: readonly { name: string }[]) => items.map(({ name }) => name);

describe("V5: custom items", () => {
  it("V5: ascend by lower-cased name on every level", async () => {
    const names = ["beta", "Alpha", "gamma", "ALPHA2"];
    const sorted = ["Alpha", "ALPHA2", "beta", "gamma"];
    const params = names.map((name) => aVehicleDataItem({ name }));
    const items = await customOf(...names.map((name) => ({ name, type: "Struct", params })));
    expect(namesOf(items)).toEqual(sorted);
    for (const item of items) expect(namesOf(item.params)).toEqual(sorted);
  });

  it.each(["staging", "production"] as const)("V5: deleted roots never appear (%s)", async (environment) => {
    const records = [aVehicleDataRecord(), aVehicleDataRecord({ id: 2, name: "gone", isDeleted: true })];
    expect(namesOf((await section(null, records, environment)).schema_items)).toEqual(["cabinScent"]);
  });

  it("V5: a root deleted in staging hides there, not in production", async () => {
    const records = [aVehicleDataRecord(), aVehicleDataRecord({ id: 2, status: "STAGING", isDeleted: true })];
    expect((await section(null, records, "staging")).schema_items).toEqual([]);
    expect(namesOf((await section(null, records, "production")).schema_items)).toEqual(["cabinScent"]);
  });

  it("V5: have params only when they are structs", async () => {
    const params = [aVehicleDataItem({ name: "child" })];
    const [plain, struct] = await customOf({ type: "Integer", params }, { type: "Struct", params });
    expect(plain).not.toHaveProperty("params");
    expect(namesOf(struct.params)).toEqual(["child"]);
  });

  const refused = ["", "a b", "a\tb", "a\n", ...Array.from("!@#$%^&*", (sign) => `a${sign}b`), "ü".repeat(128)];
  it.each(refused)("V5: leaves out name or key %j, as root and as child", async (text) => {
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

  it("V5: a struct in a struct without usable params is left out", async () => {
    const empty = aVehicleDataItem({ name: "empty", type: "Struct" });
    const items = await customOf({ type: "Struct", params: [empty, aVehicleDataItem({ name: "full" })] });
    expect(namesOf(items[0].params)).toEqual(["full"]);
    expect(await customOf({ type: "Struct", params: [empty] })).toEqual([]);
  });
});

describe("V6: members", () => {
  const members = [
    ...["name", "type", "since", "until", "deprecated", "removed", "key", "mandatory"],
    ...["minlength", "maxlength", "minsize", "maxsize", "minvalue", "maxvalue", "array"],
  ];

  it("V6: of a native item stand in order, with their types", async () => {
    const param = {
      ...{ array: "true", maxvalue: "7.5", minvalue: "-1", maxsize: "6", minsize: 5, maxlength: "4", minlength: 3 },
      ...{
        mandatory: "true",
        removed: "false",
        deprecated: true,
        until: "9.0",
        since: "2.0",
        type: "Integer",
        name: "n",
      },
    };
    const [item] = (await section(specOf([param]))).schema_items;
    expect(Object.keys(item)).toEqual(members);
    expect(item).toEqual({
      ...{ name: "n", type: "Integer", since: "2.0", until: "9.0", deprecated: true, removed: false, key: "n" },
      ...{
        mandatory: true,
        minlength: 3,
        maxlength: 4,
        minsize: 5,
        maxsize: 6,
        minvalue: -1,
        maxvalue: 7.5,
        array: true,
      },
    });
  });

  it("V6: of a custom item have the names of the table", async () => {
    const [item] = await customOf({
      ...{ name: "n", key: "k", type: "String", since: "2.0", until: "9.0", deprecated: "true", removed: false },
      ...{
        mandatory: true,
        minLength: 1,
        maxLength: 2,
        minSize: 3,
        maxSize: 4,
        minValue: 5,
        maxValue: 6,
        array: false,
      },
    });
    expect(Object.keys(item)).toEqual(members);
    expect(item).toEqual({
      ...{ name: "n", type: "String", since: "2.0", until: "9.0", deprecated: true, removed: false, key: "k" },
      ...{
        mandatory: true,
        minlength: 1,
        maxlength: 2,
        minsize: 3,
        maxsize: 4,
        minvalue: 5,
        maxvalue: 6,
        array: false,
      },
    });
  });

  it("V6: are omitted when null, absent or empty text; zero and false stay", async () => {
    const nothing = { since: null, until: "", deprecated: null, removed: "", minValue: null, array: null };
    const [bare, zero] = await customOf(
      { ...nothing, mandatory: false },
      { mandatory: false, minLength: 0, minSize: 0, minValue: 0, deprecated: false },
    );
    expect(bare).toEqual({ name: "item0", type: "Integer", key: "OEM_SCENT", mandatory: false });
    expect(zero).toEqual({
      ...{ name: "item1", type: "Integer", deprecated: false, key: "OEM_SCENT", mandatory: false },
      ...{ minlength: 0, minsize: 0, minvalue: 0 },
    });
  });

  it.each([undefined, null, ""])(
    "V6: mandatory %j means true in the specification, false on a custom item",
    async (value) => {
      const param = { name: "n", type: "Float", ...(value === undefined ? {} : { mandatory: value }) };
      expect((await section(specOf([param]))).schema_items[0].mandatory).toBe(true);
      const { mandatory: _, ...item } = aVehicleDataRecord();
      const record = value === undefined ? item : { ...item, mandatory: value };
      expect((await section(null, [record])).schema_items[0].mandatory).toBe(false);
    },
  );

  it("V6: children of a custom struct and members of a native one follow the same defaults", async () => {
    const [custom] = await customOf({ type: "Struct", params: [aVehicleDataItem({ name: "child" })] });
    expect(custom.params[0]).toEqual({ name: "child", type: "Integer", key: "OEM_SCENT", mandatory: false });
    const structs = [{ name: "S", params: [{ name: "member", type: "Float" }] }];
    const { schema_items } = await section(specOf([{ name: "s", type: "S" }], structs));
    expect(schema_items[0].params[0].mandatory).toBe(true);
  });

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
    const native = (await section(specOf([anRpcSpecParam(flags)]))).schema_items[0];
    // Finding A8: a native item is no array unless it says so.
    const { array: _, ...others } = boolean;
    expect(native).toMatchObject(others);
    expect(native.array).toBe(expected ? true : undefined);
    expect((await customOf(flags))[0]).toMatchObject(boolean);
  });

  it("V6: a limit that is no number is omitted", async () => {
    const [item] = (await section(specOf([anRpcSpecParam({ minvalue: "few", maxvalue: "10" })]))).schema_items;
    expect(item).toEqual({ name: "speed", type: "Float", key: "speed", mandatory: false, maxvalue: 10 });
  });
});
