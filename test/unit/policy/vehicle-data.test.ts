import { describe, expect, it } from "vitest";
import type { RpcSpecParam, SnapshotRpcSpec, SnapshotVehicleData } from "@/lib/policy/table/snapshot";
import type { Environment } from "@/lib/labels/vocabulary";
import { builtTable } from "@/test/support/answers";
import { anRpcSpec, anRpcSpecParam, aSnapshot, aVehicleDataRecord, viewsOf } from "@/test/support/builders";

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
