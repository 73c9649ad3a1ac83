import { afterEach, beforeEach, describe, expect, it } from "vitest";
import * as listRoute from "@/app/api/v1/vehicle-data/route";
import * as promoteRoute from "@/app/api/v1/vehicle-data/promote/route";
import * as typeRoute from "@/app/api/v1/vehicle-data/type/route";
import { readRevision } from "@/lib/platform/db/revision";
import { AuditEventModel } from "@/models/audit-event";
import { CustomVehicleDataModel } from "@/models/custom-vehicle-data";
import { RpcSpecificationModel } from "@/models/rpc-specification";
import { runs } from "@/test/support/extent";
import { emptyDatabase, withDatabase } from "@/test/support/database";
import { aRequest, readAnswer } from "@/test/support/requests";
import { forgetSettings, useSettings } from "@/test/support/settings";
import { store, storeGroup, storeModuleConfig } from "@/test/support/stored-records";

/** Requests at once. */
const many = runs(100, 20);

withDatabase();
forgetSettings();
beforeEach(() => useSettings());
afterEach(emptyDatabase);

async function get(query = "") {
  const response = await listRoute.GET(aRequest(`/api/v1/vehicle-data${query}`));
  return { status: response.status, ...(await readAnswer(response)) };
}
async function save(body: unknown) {
  const response = await listRoute.POST(aRequest("/api/v1/vehicle-data", { body }));
  return { status: response.status, ...(await readAnswer(response)) };
}
async function promote(body?: unknown) {
  const response = await promoteRoute.POST(aRequest("/api/v1/vehicle-data/promote", { method: "POST", body }));
  return { status: response.status, ...(await readAnswer(response)) };
}
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
      status: "STAGING",
      min_size: null,
      max_size: null,
      min_length: null,
      array: false,
      is_deleted: false,
      created_ts,
      updated_ts,
    };
    expect(answer.data).toEqual({
      custom_vehicle_data: [
        {
          ...common,
          id: 1,
          parent_id: null,
          name: "cabinScent",
          type: "Struct",
          key: "OEM_SCENT",
          mandatory: false,
          max_length: null,
          min_value: null,
          max_value: null,
          params: [
            {
              ...common,
              id: 2,
              parent_id: 1,
              name: "label",
              type: "String",
              key: "OEM_SCENT_LBL",
              mandatory: false,
              max_length: 40,
              min_value: null,
              max_value: null,
              params: [],
            },
            {
              ...common,
              id: 3,
              parent_id: 1,
              name: "level",
              type: "Integer",
              key: "OEM_SCENT_LVL",
              mandatory: true,
              max_length: null,
              min_value: 0,
              max_value: 10,
              params: [],
            },
          ],
        },
      ],
    });
    expect(await list()).toEqual(answer.data.custom_vehicle_data);
  });

  it("raises the revision and writes an audit event", async () => {
    const before = await readRevision();
    await save(example);
    expect(await readRevision()).toBe(before + 1);
    expect(await AuditEventModel.find().lean()).toMatchObject([
      { action: "vehicle-data.save", target: "vehicle-data:cabinScent", before: null, after: 1, actor: "admin" },
    ]);
  });

  it("takes texts for numbers and booleans, and answers JSON types (Δ27)", async () => {
    const body = anItem({
      type: "Float",
      mandatory: "true",
      array: "false",
      min_size: "1",
      max_size: "5",
      min_value: "-1.5",
      max_value: "1e2",
      min_length: "",
      max_length: null,
    });
    expect((await save(body)).data.custom_vehicle_data).toMatchObject([
      {
        mandatory: true,
        array: false,
        min_size: 1,
        max_size: 5,
        min_value: -1.5,
        max_value: 100,
        min_length: null,
        max_length: null,
      },
    ]);
  });

  it("ignores id, parent_id, status and times, and stores nothing else of the body", async () => {
    const body = anItem({ id: 99, parent_id: 5, status: "PRODUCTION", created_ts: "x", $where: "1", "a.b": 1 });
    expect((await save(body)).data.custom_vehicle_data).toMatchObject([{ id: 1, parent_id: null, status: "STAGING" }]);
  });

  const child = (partial: Record<string, unknown>) => ({
    ...example,
    params: [anItem(), { ...anItem({ name: "b" }), ...partial }],
  });
  const nested = (levels: number): unknown => ({
    ...anItem({ type: "Struct" }),
    params: levels > 1 ? [nested(levels - 1)] : [],
  });
  const wide = (count: number) => ({
    ...example,
    params: Array.from({ length: count - 1 }, (_, index) => anItem({ name: `n${index}` })),
  });
  const wrong: readonly (readonly [unknown, string])[] = [
    [{}, "name is required"],
    [{ name: "" }, "name is required"],
    [{ name: null, key: "k", type: "Float" }, "name is required"],
    [{ name: "n" }, "key is required"],
    [{ name: "n", key: "k" }, "type is required"],
    [{ name: "bad name" }, "key is required"],
    [anItem({ name: 5 }), "name must be a string"],
    [anItem({ name: { $gt: "" } }), "name must be a string"],
    [anItem({ name: "bad name" }), "name is refused"],
    [anItem({ name: "a$b" }), "name is refused"],
    [anItem({ key: "a\tb" }), "key is refused"],
    [anItem({ name: "é".repeat(128) }), "name is refused"],
    [anItem({ name: "a\u0000b" }), "name is refused"],
    [anItem({ key: "a\ud800b" }), "key must not hold control characters"],
    [anItem({ type: "No type" }), "type is not a known type"],
    [anItem({ type: "a\u0000" }), "type is not a known type"],
    [anItem({ mandatory: 1 }), "mandatory must be true or false"],
    [anItem({ array: "yes" }), "array must be true or false"],
    [anItem({ is_deleted: [] }), "is_deleted must be true or false"],
    [anItem({ min_length: -1 }), "min_length must be an integer of 0 or more"],
    [anItem({ max_length: 1.5 }), "max_length must be an integer of 0 or more"],
    [anItem({ min_size: "x" }), "min_size must be an integer of 0 or more"],
    [anItem({ max_size: true }), "max_size must be an integer of 0 or more"],
    [anItem({ max_size: "9".repeat(400) }), "max_size must be an integer of 0 or more"],
    [anItem({ min_length: 2, max_length: 1 }), "min_length must not be above max_length"],
    [anItem({ min_size: 2, max_size: "1" }), "min_size must not be above max_size"],
    [anItem({ min_value: 2, max_value: 1 }), "min_value must not be above max_value"],
    [anItem({ min_value: 1.5 }), "min_value must be an integer"],
    [anItem({ type: "Float", max_value: "0x10" }), "max_value must be a number"],
    [anItem({ type: "Float", max_value: "1e999" }), "max_value must be a number"],
    [anItem({ type: "Float", min_value: {} }), "min_value must be a number"],
    [anItem({ params: [anItem()] }), "params is only for the type Struct"],
    [anItem({ params: {} }), "params must be a list"],
    [child({ name: "" }), "params[1].name is required"],
    [child({ key: undefined }), "params[1].key is required"],
    [child({ type: null }), "params[1].type is required"],
    [child({ name: "no!" }), "params[1].name is refused"],
    [child({ type: "1" }), "params[1].type is not a known type"],
    [child({ type: "Struct", params: [anItem({ min_size: -1 })] }), "params[1].params[0].min_size must be"],
    [child({ name: "scent" }), "Duplicate name"],
    [{ ...example, params: [5] }, "params[0] must be an object"],
    [nested(11), "nested deeper than 10 levels"],
    [wide(501), "more than 500 nodes"],
    [wide(257), "params must not hold more than 255 items"],
    [anItem({ base_id: "x" }), "base_id must be an integer"],
  ];
  it.each(wrong)("refuses %j", async (body, message) => {
    const answer = await save(body);
    expect([answer.status, answer.meta.message]).toEqual([400, expect.stringContaining(message)]);
    expect(await CustomVehicleDataModel.countDocuments()).toBe(0);
  });

  it("takes 10 levels and 500 nodes, 255 in one Struct, and a Struct without children", async () => {
    expect((await save(nested(10))).status).toBe(200);
    expect((await save(wide(256))).status).toBe(200);
    const half = wide(250).params;
    const inner = { name: "inner", key: "OEM", type: "Struct", params: half };
    expect((await save({ ...wide(250), params: [inner, ...half.slice(1)] })).status).toBe(200);
    expect((await save(anItem({ name: "hollow", type: "Struct" }))).status).toBe(200);
  });

  it("takes the enumerations of the specification as types, and no others (14.6)", async () => {
    expect((await save(anItem({ type: "Whatever_1" }))).status).toBe(200);
    await storeSpecification();
    expect((await save(anItem({ type: "Whatever_1" }))).meta.message).toBe("type is not a known type");
    expect((await save(anItem({ type: "PRNDL" }))).status).toBe(200);
  });

  it("refuses the name of a native parameter for a root only", async () => {
    await save(anItem({ name: "speed" }));
    await storeSpecification();
    expect((await save(anItem({ name: "speed" }))).meta.message).toBe("Name is used by a native parameter");
    expect((await save(anItem({ name: "asked" }))).status).toBe(200);
    expect((await save({ ...example, params: [anItem({ name: "speed" })] })).status).toBe(200);
    // What was there before the name was taken can be removed.
    expect((await save(anItem({ name: "speed", is_deleted: true }))).status).toBe(200);
  });

  it("loses none of many saves at once", async () => {
    const answers = await Promise.all(
      Array.from({ length: many }, (_, index) => save({ ...example, name: `item${index % 4}` })),
    );
    expect(answers.every(({ status }) => status === 200)).toBe(true);
    const stored = await CustomVehicleDataModel.find().lean();
    expect(stored).toHaveLength(many);
    expect(new Set(stored.flatMap(({ nodes }) => nodes.map(({ id }) => id))).size).toBe(3 * many);
  });
});

describe("base_id of POST /vehicle-data", () => {
  it("answers 409 with both trees when the item was saved meanwhile", async () => {
    await save(anItem());
    expect((await save(anItem({ base_id: 1, key: "NEW" }))).status).toBe(200);
    const answer = await save(anItem({ base_id: 1, key: "OTHER" }));
    expect(answer).toMatchObject({
      status: 409,
      data: { current: { id: 2, key: "NEW", params: [] }, submitted: { id: null, key: "OTHER", params: [] } },
    });
    expect(await CustomVehicleDataModel.countDocuments()).toBe(2);
  });

  it("keeps a new item from replacing one of the same name (0)", async () => {
    expect((await save(anItem({ base_id: 0 }))).status).toBe(200);
    expect((await save(anItem({ base_id: 0 }))).status).toBe(409);
    expect((await save(anItem({ base_id: null }))).status).toBe(200);
  });

  it("does not stand in the way of saving under another name", async () => {
    await save(anItem());
    expect((await save(anItem({ name: "renamed", base_id: 1 }))).status).toBe(200);
  });

  it("lets only one of many editors of the same record through", async () => {
    await save(anItem());
    const answers = await Promise.all(Array.from({ length: 20 }, () => save(anItem({ base_id: 1 }))));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(19);
  });
});

describe("GET /vehicle-data (14.2)", () => {
  it("gives the template before anything else", async () => {
    expect((await get("?template=true&id=x")).status).toBe(400);
    expect((await get("?template=1&id=3")).data.custom_vehicle_data).toEqual([
      {
        id: null,
        parent_id: null,
        status: "STAGING",
        name: null,
        type: null,
        key: null,
        mandatory: false,
        min_length: null,
        max_length: null,
        min_size: null,
        max_size: null,
        min_value: null,
        max_value: null,
        array: false,
        params: [],
        is_deleted: false,
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

  it("shows an unpromoted deletion in staging only, and nothing of it afterwards", async () => {
    await save(anItem());
    await promote();
    await save(anItem({ is_deleted: true }));
    expect(await list()).toMatchObject([{ name: "scent", is_deleted: true, status: "STAGING" }]);
    expect(await list("")).toMatchObject([{ name: "scent", is_deleted: false, status: "PRODUCTION" }]);
    await promote();
    expect(await list()).toEqual([]);
    expect(await list("")).toEqual([]);
  });

  it("finds a root and a child by id, when the view shows their record", async () => {
    await save(example);
    expect(await list("?environment=staging&id=1")).toMatchObject([{ id: 1, params: [{ id: 2 }, { id: 3 }] }]);
    expect(await list("?environment=staging&id=3")).toMatchObject([{ id: 3, parent_id: 1, name: "level", params: [] }]);
    expect(await list("?id=1")).toEqual([]);
    await save(example);
    // Superseded.
    expect(await list("?environment=staging&id=1")).toEqual([]);
    expect(await list("?environment=staging&id=4")).toHaveLength(1);
  });

  it.each(["0", "-7", "424242", "9007199254740991"])("has nothing for the id %s", async (id) => {
    expect(await get(`?id=${id}`)).toMatchObject({ status: 200, data: { custom_vehicle_data: [] } });
  });

  it.each(["x", "", "1.0", "99999999999999999999"])("refuses the id %j", async (id) => {
    expect(await get(`?id=${id}`)).toMatchObject({ status: 400, meta: { message: "id must be an integer" } });
  });

  it("pages, searches and sorts on request only", async () => {
    for (const name of ["a", "b", "c", "d", "e"]) await save(anItem({ name, key: `KEY_${name}` }));
    expect((await get("?environment=staging")).data).not.toHaveProperty("next_cursor");
    const seen: string[] = [];
    let cursor: string | null = "";
    while (cursor !== null) {
      const { data } = await get(`?environment=staging&limit=2&cursor=${cursor}`);
      seen.push(...data.custom_vehicle_data.map(({ name }: { name: string }) => name));
      cursor = data.next_cursor;
    }
    expect(seen).toEqual(["a", "b", "c", "d", "e"]);
    expect(await names("?environment=staging&sort=-id")).toEqual(["e", "d", "c", "b", "a"]);
    expect(await names("?environment=staging&search=key_C")).toEqual(["c"]);
    expect((await get("?limit=0")).status).toBe(400);
    expect((await get("?limit=2&cursor=nonsense")).status).toBe(400);
    expect((await get("?sort=colour")).status).toBe(400);
  });
});

describe("faults that a save brings to the staging table (finding A3)", () => {
  it("are told with the item that is one too many, beside the saved tree", async () => {
    await store((tx) => storeModuleConfig(tx, "STAGING"));
    for (const flag of ["isDefault", "isDevice", "isPreDataConsent"]) {
      const rpcs = [{ name: "RegisterAppInterface", levels: ["NONE"], parameters: [] }];
      await store((tx) => storeGroup(tx, { name: flag, [flag]: true, rpcs }));
    }
    await store(async (tx) => {
      const ids = await tx.nextIds("custom_vehicle_data", 254);
      const records = ids.map((id) => {
        const nodes = [{ id, parentId: null, name: `item${id}`, key: "OEM", type: "Integer" }];
        return { _id: id, name: `item${id}`, status: "STAGING", nodes };
      });
      await CustomVehicleDataModel.insertMany(records, { session: tx.session });
    });
    expect((await save(anItem({ name: "last" }))).data).not.toHaveProperty("findings");
    const answer = await save(anItem({ name: "tooMany" }));
    expect(answer).toMatchObject({
      status: 200,
      data: {
        custom_vehicle_data: [{ name: "tooMany" }],
        findings: [{ severity: "refused", path: "vehicle_data.schema_items" }],
      },
    });
    expect((await save(anItem({ name: "tooMany", is_deleted: true }))).data).not.toHaveProperty("findings");
  });
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

  it("does nothing when nothing waits", async () => {
    await save(anItem());
    await promote();
    const before = await readRevision();
    expect(await promote({ whatever: 1 })).toMatchObject({ status: 200, data: {} });
    expect(await CustomVehicleDataModel.countDocuments()).toBe(2);
    expect(await readRevision()).toBe(before);
  });

  it("makes one production record out of many promotions at once", async () => {
    await save(example);
    const answers = await Promise.all(Array.from({ length: many }, () => promote()));
    expect(answers.every(({ status }) => status === 200)).toBe(true);
    expect(await CustomVehicleDataModel.countDocuments({ status: "PRODUCTION" })).toBe(1);
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
    // Known refusals keep nobody from promoting something else.
    await save(anItem({ name: "another" }));
    expect((await promote()).status).toBe(200);
  });
});

describe("GET /vehicle-data/type (14.5)", () => {
  const types = async () => (await readAnswer(await typeRoute.GET(aRequest("/api/v1/vehicle-data/type")))).data;
  const basic = [
    { name: "Float", allow_params: false },
    { name: "String", allow_params: false },
    { name: "Boolean", allow_params: false },
    { name: "Integer", allow_params: false },
    { name: "Struct", allow_params: true },
  ];

  it("lists the basic types, then the enumerations in document order", async () => {
    expect(await types()).toEqual({ type: basic });
    await storeSpecification();
    expect(await types()).toEqual({
      type: [...basic, { name: "PRNDL", allow_params: false }, { name: "AmbientLightStatus", allow_params: false }],
    });
  });
});
