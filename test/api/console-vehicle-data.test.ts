import { describe, expect, it } from "vitest";
import * as exported from "@/app/api/v1/ui/vehicle-data/export/route";
import * as vehicleData from "@/app/api/v1/vehicle-data/route";
import { readPageQuery } from "@/app/_console/page-query";
import { loadVehicleDataList } from "@/lib/records/vehicle-data/console-queries";
import { vehicleDataListQuery, vehicleDataPageQuery } from "@/lib/records/vehicle-data/console-schema";
import { promoteRecords } from "@/lib/releases/publish/promote";
import { saveVehicleData, vehicleDataFamily } from "@/lib/records/vehicle-data/commands";
import { findVehicleDataPage } from "@/lib/records/vehicle-data/editor-queries";
import { vehicleDataBody } from "@/lib/records/vehicle-data/schema";
import { send } from "@/test/support/applications";
import { parseCsv } from "@/test/support/csv";
import { testContext, withEmptyDatabase } from "@/test/support/database";
import { aRequest } from "@/test/support/requests";
import { store, storeGroup } from "@/test/support/stored-records";

withEmptyDatabase();

const list = (query: Record<string, string> = {}) => loadVehicleDataList(vehicleDataListQuery.parse(query));
const names = async (query: Record<string, string>) =>
  (await list(query)).rows.filter(({ depth }) => depth === 0).map(({ name }) => name);
const save = (body: Record<string, unknown>) =>
  saveVehicleData(vehicleDataBody.parse({ key: "K", type: "Integer", ...body }), testContext);
const promote = () => promoteRecords([{ family: vehicleDataFamily }], { force: false }, testContext);
const seat = (inside: Record<string, unknown> = {}) => ({
  name: "seat",
  type: "Struct",
  params: [{ name: "level", key: "DEEP_KEY", type: "Integer", ...inside }],
});
const storeUse = (name: string, parameters: readonly string[], values: Record<string, unknown> = {}) =>
  store((tx) => storeGroup(tx, { name, rpcs: [{ name: "GetVehicleData", levels: ["FULL"], parameters }], ...values }));

describe("the list", () => {
  it("counts by state; a promoted deletion is gone from both environments", async () => {
    await save({ name: "kept" });
    await save({ name: "gone" });
    await promote();
    await save({ name: "gone", is_deleted: true });
    await promote();
    await save({ name: "kept", key: "OTHER" });
    await save({ name: "fresh" });
    const { counts, unfiltered } = await list();
    expect({ counts, unfiltered }).toEqual({
      counts: { all: 2, modified: 2, new: 1, edited: 1, deleted: 0, production: 0 },
      unfiltered: 2,
    });
    expect(await names({ state: "new" })).toEqual(["fresh"]);
    expect(await names({ environment: "production" })).toEqual(["kept"]);
    expect([(await list()).waiting, (await list({ environment: "production" })).waiting]).toEqual([2, 0]);
    await save({ name: "kept", is_deleted: true });
    expect(await names({ state: "deleted" })).toEqual(["kept"]);
  });

  it("a state of staging means nothing in production, and leaves the address", async () => {
    await save({ name: "kept" });
    await promote();
    await save({ name: "kept", key: "OTHER" });
    for (const state of ["modified", "new", "deleted"]) {
      expect(await names({ environment: "production", state })).toEqual(["kept"]);
      expect(readPageQuery(vehicleDataListQuery, { environment: "production", state, q: "k" }).cleaned).toBe(
        "environment=production&q=k",
      );
    }
    expect(readPageQuery(vehicleDataListQuery, { environment: "staging", state: "new" }).cleaned).toBeNull();
  });

  it("finds text in names, keys and types at any depth, and filters by type and use", async () => {
    await save(seat());
    await save({ name: "angle", type: "Float" });
    expect(await names({ q: "deep_key" })).toEqual(["seat"]);
    expect(await names({ q: "FLOAT" })).toEqual(["angle"]);
    expect(await names({ type: "Integer" })).toEqual(["seat"]);
    await storeUse("Users", ["seat"]);
    expect(await names({ use: "unused" })).toEqual(["angle"]);
    expect(await names({ q: "deep_key", use: "unused" })).toEqual([]);
    expect((await list({ q: "nowhere" })).unfiltered).toBe(2);
  });

  it("tells the groups that grant an item; deleted ones do not", async () => {
    await save({ name: "angle" });
    const id = await storeUse("Users", ["angle", "speed"]);
    await storeUse("Former", ["angle"], { isDeleted: true });
    const [row] = (await list()).rows;
    expect(row?.item?.usedBy).toEqual([{ id, name: "Users" }]);
  });

  it("sorts and pages, and shows the last page when the address asks for more", async () => {
    for (let at = 10; at < 40; at++) await save({ name: `item${at}` });
    const page = await list({ size: "25", after: "25" });
    expect([page.total, page.after, page.shown]).toEqual([30, 25, 5]);
    expect((await list({ size: "25", after: "900" })).after).toBe(25);
    expect((await names({ sort: "-name" }))[0]).toBe("item39");
    await save({ name: "item20", key: "NEW" });
    expect((await names({ sort: "-changed" }))[0]).toBe("item20");
  });

  it("opens the items of the address, and takes nothing malformed from it", async () => {
    const { id } = await save(seat());
    expect((await list({ item: `${id}` })).rows.map(({ name }) => name)).toEqual(["seat", "level"]);
    expect(
      vehicleDataListQuery.parse({ item: "a,b", size: "7", after: "-1", state: "x", sort: "y", use: "z" }),
    ).toEqual(vehicleDataListQuery.parse({}));
  });
});

describe("one item", () => {
  const find = (query: Record<string, string>) => findVehicleDataPage(vehicleDataPageQuery.parse(query));

  it("is found by its id and by that of what is inside; without an environment in its own", async () => {
    const { id, nodes } = await save(seat());
    const inside = nodes[1]?.id ?? 0;
    expect(await find({ id: `${id}` })).toMatchObject({ nodeId: id, environment: "staging", isPromoted: false });
    expect(await find({ id: `${inside}` })).toMatchObject({ nodeId: inside, item: { id, name: "seat" } });
    expect(await find({ id: `${id}`, environment: "production" })).toBeNull();
    await promote();
    const [production] = (await list({ environment: "production" })).rows;
    expect(await find({ id: `${production?.id}` })).toMatchObject({ environment: "production", isPromoted: true });
  });

  it("an outdated id leads to the newest version, an unknown one nowhere", async () => {
    const { id: old } = await save({ name: "angle" });
    const { id: now } = await save({ name: "angle", key: "NEW" });
    expect(await find({ id: `${old}` })).toEqual({ movedTo: now, environment: "staging" });
    for (const id of ["4711", "abc", "-1", ""]) expect(await find({ id })).toBeNull();
  });

  it("an outdated id of what is inside leads to the node of the same names in the newest version", async () => {
    const old = await save(seat({ type: "Struct", params: [{ name: "deep", key: "D", type: "Integer" }] }));
    const [, level = 0, deep = 0] = old.nodes.map(({ id }) => id);
    const now = await save(seat({ key: "NEW" }));
    expect(await find({ id: `${level}` })).toEqual({ movedTo: now.nodes[1]?.id, environment: "staging" });
    expect(await find({ id: `${deep}` })).toEqual({ movedTo: now.id, environment: "staging" });
  });

  it("a new one knows the names that are taken; a copy has a name of its own", async () => {
    const { id } = await save(seat());
    await save({ name: "gone" });
    await save({ name: "gone", is_deleted: true });
    await promote();
    expect(await find({})).toMatchObject({ item: { id: null }, nodeId: null, isSpecified: false });
    const { taken } = (await find({})) as { taken: object };
    expect(Object.keys(taken)).toEqual(["seat"]);
    expect(await find({ from: `${id}` })).toMatchObject({ item: { name: "seatCopy", params: [{ name: "level" }] } });
    expect(await find({ from: "4711" })).toBeNull();
  });
});

describe("GET ui/vehicle-data/export", () => {
  const ask = (query: string) => exported.GET(aRequest(`/api/v1/ui/vehicle-data/export${query}`));

  it("sends all that the filters let pass as a table, one line for each node", async () => {
    await save(seat({ min_value: -1, max_value: 9 }));
    await save({ name: "angle", key: "=1+1" });
    await promote();
    await save({ name: "angle", key: "=1+1", is_deleted: true });
    const answer = await ask("?size=25&after=25&item=1&sort=-name");
    expect(answer.headers.get("content-disposition")).toMatch(/vehicle-data-staging-.*\.csv/);
    expect(parseCsv((await answer.text()).replace(/^\uFEFF/, "")).map((cells) => cells.slice(0, 10))).toEqual([
      ["item", "status", "path", "name", "type", "key", "array", "mandatory", "min_value", "max_value"],
      ["seat", "production", "seat", "seat", "Struct", "K", "false", "false", "", ""],
      ["seat", "production", "seat > level", "level", "Integer", "DEEP_KEY", "false", "false", "-1", "9"],
      // What a spreadsheet would run is made text.
      ["angle", "deletion pending", "angle", "angle", "Integer", "'=1+1", "false", "false", "", ""],
    ]);
    expect(parseCsv(await (await ask("?state=deleted")).text())).toHaveLength(2);
    expect(parseCsv(await (await ask("?state=deleted&environment=production")).text())).toHaveLength(4);
  });

  it("sends bodies as JSON that a save takes", async () => {
    await save(seat({ max_value: 9 }));
    await save({ name: "angle" });
    const body = await (await ask("?format=json&q=DEEP")).json();
    expect(body.custom_vehicle_data).toEqual([
      expect.objectContaining({ name: "seat", is_deleted: false, params: [expect.objectContaining({ max_value: 9 })] }),
    ]);
    expect(JSON.stringify(body)).not.toMatch(/"(?:id|parent_id|created_ts)"/);
    const [item] = body.custom_vehicle_data;
    expect((await send(vehicleData.POST, item)).status).toBe(200);
    await expect((await ask("?format=json&q=DEEP")).json()).resolves.toEqual(body);
    expect((await ask("?format=xml")).status).toBe(400);
  });
});
