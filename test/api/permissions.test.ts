import { beforeEach, describe, expect, it } from "vitest";
import * as unmapped from "@/app/api/v1/permissions/unmapped/route";
import * as update from "@/app/api/v1/permissions/update/route";
import { fetchQuery, raisesRevision } from "@/test/support/applications";
import { emptyDatabase, withDatabase } from "@/test/support/database";
import { aRequest } from "@/test/support/requests";
import { forgetSettings, useSettings } from "@/test/support/settings";
import { store, storeGroup, storePermission } from "@/test/support/stored-records";

withDatabase();
forgetSettings();
beforeEach(async () => {
  await emptyDatabase();
  await store(async (tx) => {
    for (const name of ["Show", "Alert", "GetVehicleData"]) await storePermission(tx, name);
    for (const name of ["speed", "gps"]) await storePermission(tx, name, "PARAMETER", ["GetVehicleData"]);
    await storePermission(tx, "CLIMATE", "MODULE", ["GetInteriorVehicleData"]);
  });
});

const list = (query = "") => fetchQuery(unmapped.GET, query);
const rpc = (name: string) => ({ name, type: "RPC" });
const parameter = (name: string) => ({ name, type: "PARAMETER" });

describe("GET permissions/unmapped (10.2)", () => {
  it("gives RPCs and parameters that no group of the view contains, never modules", async () => {
    await store(async (tx) => {
      await storeGroup(tx, { name: "A", status: "PRODUCTION" });
      const rpcs = [{ name: "GetVehicleData", levels: ["FULL"], parameters: ["gps", "unknown"] }];
      await storeGroup(tx, { name: "B", rpcs });
      await storeGroup(tx, { name: "C", isDeleted: true, rpcs: [{ name: "Alert", levels: ["FULL"], parameters: [] }] });
    });
    expect((await list()).data).toEqual({
      permissions: [rpc("Alert"), rpc("GetVehicleData"), parameter("gps"), parameter("speed")],
      unmapped_rpc_count: 2,
      unmapped_parameter_count: 2,
    });
    expect((await list("?environment=STAGING")).data).toEqual({
      permissions: [rpc("Alert"), parameter("speed")],
      unmapped_rpc_count: 1,
      unmapped_parameter_count: 1,
    });
  });

  it("gives pages with the counts of the whole", async () => {
    const first = await list("?limit=3&sort=-name");
    expect(first.data).toMatchObject({
      permissions: [parameter("speed"), parameter("gps"), rpc("Show")],
      unmapped_rpc_count: 3,
      unmapped_parameter_count: 2,
      next_cursor: expect.any(String),
    });
    const second = await list(`?limit=3&sort=-name&cursor=${first.data.next_cursor}`);
    expect(second.data).toMatchObject({ permissions: [rpc("GetVehicleData"), rpc("Alert")], next_cursor: null });
    expect((await list("?search=ge")).data.permissions).toEqual([rpc("GetVehicleData")]);
  });

  it.each(["limit=0", "sort=x", "limit=2&cursor=e30"])("400 for ?%s", async (query) => {
    expect(await list(`?${query}`)).toMatchObject({ status: 400, message: expect.any(String) });
  });
});

describe("POST permissions/update (10.1), and what holds for both", () => {
  it("says that the stored list was kept, and changes nothing", async () => {
    const raises = await raisesRevision(async () => {
      const response = await update.POST(aRequest("/api/v1/permissions/update", { method: "POST" }));
      expect(await response.json()).toMatchObject({
        meta: { code: 200, message: "The app directory was not asked; the 6 stored permissions stay as they are" },
        data: {},
      });
    });
    expect(raises).toBe(false);
  });

  it.each([
    ["unmapped", unmapped.POST, "GET, HEAD"],
    ["update", update.GET, "POST"],
  ])("0.1: permissions/%s answers 405 with Allow to another method", async (path, handler, allow) => {
    const response = await handler(aRequest(`/api/v1/permissions/${path}`));
    expect(response.status).toBe(405);
    expect(response.headers.get("allow")).toBe(allow);
  });

  it.each([unmapped.GET, update.POST])("0.6: class A, case %#", async (handler) => {
    useSettings({ AUTH_TYPE: "basic", BASIC_AUTH_PASSWORD: "open sesame" });
    expect((await handler(aRequest("/api/v1/permissions"))).status).toBe(401);
  });
});
