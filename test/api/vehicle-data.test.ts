import { beforeEach, describe, expect, it } from "vitest";
import * as listRoute from "@/app/api/v1/vehicle-data/route";
import * as promoteRoute from "@/app/api/v1/vehicle-data/promote/route";
import * as typeRoute from "@/app/api/v1/vehicle-data/type/route";
import { neededRpcs } from "@/lib/vocabulary/terms";
import { AuditEventModel } from "@/models/audit-event";
import { CustomVehicleDataModel } from "@/models/custom-vehicle-data";
import { RpcSpecificationModel } from "@/models/rpc-specification";
import { fetchQuery, send } from "@/test/support/applications";
import { withEmptyDatabase } from "@/test/support/database";
import { useSettings } from "@/test/support/settings";
import { store, storeGroup, storeModuleConfig } from "@/test/support/stored-records";

withEmptyDatabase();
beforeEach(() => useSettings());

const get = (query = "") => fetchQuery(listRoute.GET, query);
const save = (body: unknown) => send(listRoute.POST, body);
const promote = (body?: unknown) => send(promoteRoute.POST, body);
const list = async (query = "?environment=staging") => (await get(query)).data.custom_vehicle_data;
const names = async (query?: string) => (await list(query)).map(({ name }: { name: string }) => name);

const anItem = (partial: Record<string, unknown> = {}) => ({ name: "scent", key: "OEM", type: "Integer", ...partial });
const example = {
  name: "cabinScent",
  key: "OEM_SCENT",
  type: "Struct",
  params: [
    { name: "level", key: "OEM_SCENT_LVL", type: "Integer", mandatory: true, min_value: 0, max_value: 10 },
    { name: "label", key: "OEM_SCENT_LBL", type: "String", max_length: 40 },
  ],
};

async function storeSpecification() {
  await store(async (tx) => {
    const document = {
      _id: await tx.nextId("rpc_specifications"),
      version: "8.0.0",
      storedAt: tx.now,
      enums: [{ name: "PRNDL" }, { name: "AmbientLightStatus" }],
      structs: [],
      functions: [
        { name: "GetVehicleData", messageType: "response", params: [{ name: "speed", type: "Float" }] },
        { name: "GetVehicleData", messageType: "request", params: [{ name: "asked", type: "Boolean" }] },
      ],
    };
    await RpcSpecificationModel.insertMany([document], { session: tx.session });
  });
}

describe("POST /vehicle-data (14.3)", () => {
  it("gives the saved tree with ids, children by name (14.7)", async () => {
    const answer = await save(example);
    expect(answer.status).toBe(200);
    const [tree] = answer.data.custom_vehicle_data;
    const { created_ts, updated_ts } = tree;
    expect(new Date(created_ts).toISOString()).toBe(created_ts);
    const common = {
      ...{ status: "STAGING", array: false, is_deleted: false, created_ts, updated_ts, params: [], mandatory: false },
      ...{ min_size: null, max_size: null, min_length: null, max_length: null, min_value: null, max_value: null },
    };
    const label = {
      ...common,
      id: 2,
      parent_id: 1,
      name: "label",
      type: "String",
      key: "OEM_SCENT_LBL",
      max_length: 40,
    };
    const level = {
      ...{ ...common, id: 3, parent_id: 1, name: "level", type: "Integer", key: "OEM_SCENT_LVL" },
      ...{ mandatory: true, min_value: 0, max_value: 10 },
    };
    const root = { ...common, id: 1, parent_id: null, name: "cabinScent", type: "Struct", key: "OEM_SCENT" };
    expect(answer.data).toEqual({ custom_vehicle_data: [{ ...root, params: [label, level] }] });
    expect(await list()).toEqual(answer.data.custom_vehicle_data);
  });

  it("takes texts for numbers and booleans, and answers JSON types (Δ27)", async () => {
    const body = anItem({
      ...{ type: "Float", mandatory: "true", array: "false", min_size: "1", max_size: "5" },
      ...{ min_value: "-1.5", max_value: "1e2", min_length: "", max_length: null },
    });
    const [item] = (await save(body)).data.custom_vehicle_data;
    expect(item).toMatchObject({
      ...{ mandatory: true, array: false, min_size: 1, max_size: 5 },
      ...{ min_value: -1.5, max_value: 100, min_length: null, max_length: null },
    });
  });

  it("ignores id, parent_id, status and times, and stores nothing else of the body", async () => {
    const body = anItem({ id: 99, parent_id: 5, status: "PRODUCTION", created_ts: "x", $where: "1", "a.b": 1 });
    expect((await save(body)).data.custom_vehicle_data).toMatchObject([{ id: 1, parent_id: null, status: "STAGING" }]);
  });

  it("takes the enumerations of the specification as types, and no others (14.6)", async () => {
    expect((await save(anItem({ type: "Whatever_1" }))).status).toBe(200);
    await storeSpecification();
    expect((await save(anItem({ type: "Whatever_1" }))).message).toBe("type is not a known type");
    expect((await save(anItem({ type: "PRNDL" }))).status).toBe(200);
  });

  it("refuses the name of a native parameter for a root only", async () => {
    await save(anItem({ name: "speed" }));
    await storeSpecification();
    expect((await save(anItem({ name: "speed" }))).message).toBe("Name is used by a native parameter");
    expect((await save(anItem({ name: "asked" }))).status).toBe(200);
    expect((await save({ ...example, params: [anItem({ name: "speed" })] })).status).toBe(200);
    // What was there before the name was taken can be removed.
    expect((await save(anItem({ name: "speed", is_deleted: true }))).status).toBe(200);
  });

  it("base_id does not stand in the way of saving under another name", async () => {
    await save(anItem());
    expect((await save(anItem({ name: "renamed", base_id: 1 }))).status).toBe(200);
  });
});

describe("GET /vehicle-data (14.2)", () => {
  it("gives the template before anything else", async () => {
    expect((await get("?template=true&id=x")).status).toBe(400);
    const nothing = { id: null, parent_id: null, name: null, type: null, key: null, params: [], status: "STAGING" };
    const limits = ["min_length", "max_length", "min_size", "max_size", "min_value", "max_value"];
    expect((await get("?template=1&id=3")).data.custom_vehicle_data).toEqual([
      {
        ...nothing,
        mandatory: false,
        array: false,
        is_deleted: false,
        ...Object.fromEntries(limits.map((one) => [one, null])),
      },
    ]);
  });

  it("lists by lower-cased name, production by default", async () => {
    for (const name of ["beta", "Alpha", "gamma"]) await save(anItem({ name }));
    expect(await names()).toEqual(["Alpha", "beta", "gamma"]);
    expect(await names("")).toEqual([]);
    await promote();
    expect(await names("")).toEqual(["Alpha", "beta", "gamma"]);
  });

  it("finds a root and a child by id, when the view shows their record", async () => {
    await save(example);
    expect(await list("?environment=staging&id=1")).toMatchObject([{ id: 1, params: [{ id: 2 }, { id: 3 }] }]);
    expect(await list("?environment=staging&id=3")).toMatchObject([{ id: 3, parent_id: 1, name: "level", params: [] }]);
    expect(await list("?id=1")).toEqual([]);
    await save(example);
    expect(await list("?environment=staging&id=1")).toEqual([]);
    expect(await list("?environment=staging&id=4")).toHaveLength(1);
  });

  it("has nothing for unknown ids, and refuses what is no id", async () => {
    for (const id of ["0", "-7", "424242", "9007199254740991"]) expect(await list(`?id=${id}`)).toEqual([]);
    expect(await get("?id=x")).toMatchObject({ status: 400, message: "id must be an integer" });
  });

  it("pages, searches and sorts on request only", async () => {
    for (const name of ["a", "b", "c", "d", "e"]) await save(anItem({ name, key: `KEY_${name}` }));
    expect((await get("?environment=staging")).data).not.toHaveProperty("next_cursor");
    const { data } = await get("?environment=staging&limit=3");
    expect(await names(`?environment=staging&limit=3&cursor=${data.next_cursor}`)).toEqual(["d", "e"]);
    expect(await names("?environment=staging&sort=-id")).toEqual(["e", "d", "c", "b", "a"]);
    expect(await names("?environment=staging&search=key_C")).toEqual(["c"]);
    expect((await get("?limit=2&cursor=nonsense")).status).toBe(400);
  });
});

it("finding A3: a save tells what head units refuse with the item that is one too many, beside the tree", async () => {
  await store((tx) => storeModuleConfig(tx, "STAGING"));
  for (const flag of ["isDefault", "isDevice", "isPreDataConsent"]) {
    const rpcs = neededRpcs.map((name) => ({ name, levels: ["NONE"], parameters: [] }));
    await store((tx) => storeGroup(tx, { name: flag, [flag]: true, rpcs }));
  }
  await store(async (tx) => {
    const records = (await tx.nextIds("custom_vehicle_data", 254)).map((id) => {
      const nodes = [{ id, parentId: null, name: `item${id}`, key: "OEM", type: "Integer" }];
      return { _id: id, name: `item${id}`, status: "STAGING", nodes };
    });
    await CustomVehicleDataModel.insertMany(records, { session: tx.session });
  });
  expect((await save(anItem({ name: "last" }))).data).not.toHaveProperty("findings");
  expect(await save(anItem({ name: "tooMany" }))).toMatchObject({
    status: 200,
    data: {
      custom_vehicle_data: [{ name: "tooMany" }],
      findings: [{ severity: "refused", path: "vehicle_data.schema_items" }],
    },
  });
  expect((await save(anItem({ name: "tooMany", is_deleted: true }))).data).not.toHaveProperty("findings");
});

describe("POST /vehicle-data/promote (14.4)", () => {
  it("publishes every waiting root with its tree under new ids", async () => {
    await save(example);
    await save(anItem());
    expect(await promote()).toMatchObject({ status: 200, data: {} });
    const [cabin, scent] = await list("");
    expect(cabin).toMatchObject({
      id: 5,
      params: [
        { id: 6, parent_id: 5, name: "label" },
        { id: 7, parent_id: 5 },
      ],
    });
    expect(scent).toMatchObject({ id: 8, status: "PRODUCTION" });
    expect(await list()).toEqual(await list(""));
    expect(await AuditEventModel.countDocuments({ action: "vehicle-data.promote" })).toBe(2);
  });

  it("wants force for what head units would refuse, and then publishes all or none", async () => {
    for (const flag of ["isDefault", "isDevice", "isPreDataConsent"]) {
      await store((tx) => storeGroup(tx, { name: flag, status: "PRODUCTION", [flag]: true }));
    }
    await store((tx) => storeModuleConfig(tx, "PRODUCTION"));
    await save(anItem({ name: "fine" }));
    await store(async (tx) => {
      const _id = await tx.nextId("custom_vehicle_data");
      const nodes = [{ id: _id, parentId: null, name: "huge", key: "OEM", type: "Float", maxValue: 1e300 }];
      await CustomVehicleDataModel.insertMany([{ _id, name: "huge", status: "STAGING", nodes }], {
        session: tx.session,
      });
    });
    const refused = await promote();
    expect(refused.status).toBe(409);
    expect(refused.data.findings).toMatchObject([
      { severity: "refused", path: "vehicle_data.schema_items[1].maxvalue" },
    ]);
    expect(await CustomVehicleDataModel.countDocuments({ status: "PRODUCTION" })).toBe(0);
    expect((await promote({ force: true })).status).toBe(200);
    expect(await names("")).toEqual(["fine", "huge"]);
    await save(anItem({ name: "another" }));
    expect((await promote()).status).toBe(200);
  });
});

const types = async () => (await fetchQuery(typeRoute.GET)).data;
const basic = [
  { name: "Float", allow_params: false },
  { name: "String", allow_params: false },
  { name: "Boolean", allow_params: false },
  { name: "Integer", allow_params: false },
  { name: "Struct", allow_params: true },
];

it("GET /vehicle-data/type (14.5): lists the basic types, then the enumerations in document order", async () => {
  expect(await types()).toEqual({ type: basic });
  await storeSpecification();
  expect(await types()).toEqual({
    type: [...basic, { name: "PRNDL", allow_params: false }, { name: "AmbientLightStatus", allow_params: false }],
  });
});
