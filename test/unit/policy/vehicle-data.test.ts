import { describe, expect, it } from "vitest";
import type { RpcSpecParam, SnapshotRpcSpec, SnapshotVehicleData, VehicleDataItem } from "@/lib/policy/snapshot";
import { whyNameRefused } from "@/lib/policy/vehicle-data";
import type { Environment } from "@/lib/policy/vocabulary";
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

describe("V1: schema_version", () => {
  const spec = (storedAt: number) => anRpcSpec({ storedAt });
  const custom = (partial: Partial<SnapshotVehicleData>) => aVehicleDataRecord({ id: 1, ...partial });

  it.each([
    ["neither", null, [], "0.000"],
    ["the specification", spec(1_768_003_200_000), [], "1768003200.000"],
    ["a record", null, [custom({ savedAt: 1_772_359_200_123 })], "1772359200.123"],
    ["the greater one, the record", spec(5_000), [custom({ savedAt: 5_001 })], "5.001"],
    ["the greater one, the specification", spec(5_002), [custom({ savedAt: 5_001 })], "5.002"],
  ])("V1: in seconds with three decimals from %s", async (_, rpcSpec, records, expected) => {
    expect((await section(rpcSpec, records)).schema_version).toBe(expected);
  });

  it("V1: counts deleted records", async () => {
    const records = [custom({ savedAt: 9_000, isDeleted: true })];
    for (const environment of ["staging", "production"] as const) {
      expect((await section(null, records, environment)).schema_version).toBe("9.000");
    }
  });

  it("V1: production looks at PRODUCTION records only, staging at all", async () => {
    const records = [
      custom({ id: 1, savedAt: 1_000 }),
      custom({ id: 2, status: "STAGING", savedAt: 2_000 }),
      custom({ id: 3, name: "other", status: "STAGING", savedAt: 3_000 }),
    ];
    expect((await section(null, records, "production")).schema_version).toBe("1.000");
    expect((await section(null, records, "staging")).schema_version).toBe("3.000");
  });

  it("V1: the newest record is the one with the greatest id", async () => {
    const records = [custom({ id: 8, name: "b", savedAt: 2_000 }), custom({ id: 7, name: "a", savedAt: 3_000 })];
    expect((await section(null, records)).schema_version).toBe("2.000");
    expect((await section(null, records.toReversed())).schema_version).toBe("2.000");
  });
});

describe("V2: native items, then custom items", () => {
  it("V2: in this order", async () => {
    const { schema_items } = await section(specOf([anRpcSpecParam({ name: "zNative" })]), [
      aVehicleDataRecord({ name: "aCustom" }),
    ]);
    expect(namesOf(schema_items)).toEqual(["zNative", "aCustom"]);
  });

  it("V2: of equal names only the first is kept", async () => {
    const params = [
      anRpcSpecParam({ name: "speed", type: "Float" }),
      anRpcSpecParam({ name: "rpm", type: "Integer" }),
      anRpcSpecParam({ name: "speed", type: "String" }),
    ];
    const { schema_items } = await section(specOf(params), [aVehicleDataRecord({ name: "speed", type: "Boolean" })]);
    expect(schema_items.map((item: { name: string; type: string }) => [item.name, item.type])).toEqual([
      ["speed", "Float"],
      ["rpm", "Integer"],
    ]);
  });
});

describe("V3: native items", () => {
  it("V3: are the parameters of the GetVehicleData response in document order", async () => {
    const functions = [
      { ...response([anRpcSpecParam({ name: "request" })]), messageType: "request" },
      { ...response([anRpcSpecParam({ name: "other" })]), name: "OnVehicleData" },
      response(["vin", "gps", "abc"].map((name) => anRpcSpecParam({ name }))),
    ];
    expect(namesOf((await section(anRpcSpec({ functions }))).schema_items)).toEqual(["vin", "gps", "abc"]);
  });

  it("V3: without the documentation platform", async () => {
    const params = [
      anRpcSpecParam({ name: "success", platform: "documentation" }),
      anRpcSpecParam({ name: "gps", platform: "mobile" }),
      anRpcSpecParam({ name: "vin", platform: null }),
    ];
    expect(namesOf((await section(specOf(params))).schema_items)).toEqual(["gps", "vin"]);
  });

  it("V3: are none when no specification or no such response is stored", async () => {
    expect((await section(null)).schema_items).toEqual([]);
    expect((await section(anRpcSpec({ functions: [] }))).schema_items).toEqual([]);
  });
});

describe("V4: native structs", () => {
  it("V4: key is the name; a type that is no struct is kept and has no params", async () => {
    const { schema_items } = await section(specOf([anRpcSpecParam({ name: "prndl", type: "PRNDL" })]));
    expect(schema_items).toEqual([{ name: "prndl", type: "PRNDL", key: "prndl", mandatory: false }]);
  });

  it("V4: become Struct with their parameters, recursively", async () => {
    const structs = [
      { name: "Outer", params: [anRpcSpecParam({ name: "inner", type: "Inner" }), anRpcSpecParam({ name: "b" })] },
      {
        name: "Inner",
        params: [anRpcSpecParam({ name: "hidden", platform: "documentation" }), anRpcSpecParam({ name: "a" })],
      },
    ];
    const { schema_items } = await section(specOf([anRpcSpecParam({ name: "outer", type: "Outer" })], structs));
    const leaf = (name: string) => ({ name, type: "Float", key: name, mandatory: false });
    const struct = (name: string, params: readonly object[]) => ({ ...leaf(name), type: "Struct", params });
    expect(schema_items).toEqual([struct("outer", [struct("inner", [leaf("a")]), leaf("b")])]);
    expect(Object.keys(schema_items[0]).at(-1)).toBe("params");
  });

  it("V4: leave out a parameter whose struct is open on the path, directly or through others", async () => {
    const structs = [
      { name: "Node", params: ["Node", "Link", "Float"].map((type) => anRpcSpecParam({ name: `of${type}`, type })) },
      { name: "Link", params: [anRpcSpecParam({ name: "back", type: "Node" }), anRpcSpecParam({ name: "weight" })] },
    ];
    const { schema_items } = await section(specOf([anRpcSpecParam({ name: "tree", type: "Node" })], structs));
    expect(namesOf(schema_items[0].params)).toEqual(["ofLink", "ofFloat"]);
    expect(namesOf(schema_items[0].params[0].params)).toEqual(["weight"]);
  });

  it("V4: may occur more than once side by side", async () => {
    const structs = [{ name: "Tire", params: [anRpcSpecParam({ name: "pressure" })] }];
    const params = ["left", "right"].map((name) => anRpcSpecParam({ name, type: "Tire" }));
    const { schema_items } = await section(specOf(params, structs));
    for (const item of schema_items) expect(namesOf(item.params)).toEqual(["pressure"]);
    expect(schema_items).toHaveLength(2);
  });

  it("V4: without parameters are left out, and what only holds such as well", async () => {
    const structs = [
      { name: "Empty", params: [] },
      { name: "Documented", params: [anRpcSpecParam({ platform: "documentation" })] },
      { name: "Loop", params: [anRpcSpecParam({ name: "self", type: "Loop" })] },
      { name: "Wrapper", params: [anRpcSpecParam({ name: "empty", type: "Empty" })] },
    ];
    const types = ["Empty", "Documented", "Loop", "Wrapper", "Float"];
    const params = types.map((type) => anRpcSpecParam({ name: `a${type}`, type }));
    expect(namesOf((await section(specOf(params, structs))).schema_items)).toEqual(["aFloat"]);
  });
});

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
    expect(native).toMatchObject(boolean);
    expect((await customOf(flags))[0]).toMatchObject(boolean);
  });

  it("V6: a limit that is no number is omitted", async () => {
    const [item] = (await section(specOf([anRpcSpecParam({ minvalue: "few", maxvalue: "10" })]))).schema_items;
    expect(item).toEqual({ name: "speed", type: "Float", key: "speed", mandatory: false, maxvalue: 10 });
  });
});
