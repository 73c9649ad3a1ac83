import { beforeEach, describe, expect, it, vi } from "vitest";
import * as unmapped from "@/app/api/v1/permissions/unmapped/route";
import * as update from "@/app/api/v1/permissions/update/route";
import { log } from "@/lib/platform/log";
import { AuditEventModel } from "@/models/audit-event";
import { PermissionModel } from "@/models/permission";
import { fetchQuery, raisesRevision, send } from "@/test/support/applications";
import { withEmptyDatabase } from "@/test/support/database";
import { endStubs, envelope, serveHttp, type StubAnswer } from "@/test/support/http-stub";
import { useSettings } from "@/test/support/settings";
import { store, storeGroup, storePermission } from "@/test/support/stored-records";

withEmptyDatabase();
endStubs();
beforeEach(async () => {
  await store(async (tx) => {
    for (const name of ["Show", "Alert", "GetVehicleData"]) await storePermission(tx, name);
    for (const name of ["speed", "gps"]) await storePermission(tx, name, "PARAMETER", ["GetVehicleData"]);
    await storePermission(tx, "CLIMATE", "MODULE", ["GetInteriorVehicleData"]);
  });
});

const done = { status: 200, message: null, data: {} };
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
});

describe("POST permissions/update (10.1)", () => {
  const post = () => send(update.POST, undefined);
  const keys = { SHAID_PUBLIC_KEY: "public-7f3a", SHAID_SECRET_KEY: "secret-9b1c" };
  const names = async () =>
    (await PermissionModel.find().sort({ name: 1 }).lean()).map(({ name, isActive, parents }) =>
      [name, isActive, ...parents].join(" "),
    );
  const before = [
    ...["Alert true", "CLIMATE true GetInteriorVehicleData", "GetVehicleData true", "Show true"],
    ...["gps true GetVehicleData", "speed true GetVehicleData"],
  ];
  const listed = {
    permission_categories: [
      {
        permissions: [
          { key: "gps", type: "PARAMETER", parent_permissions: [{ key: "Show" }] },
          { key: "Show", type: "RPC", parent_permissions: [] },
          { key: "Slider", type: "RPC", parent_permissions: [] },
        ],
      },
    ],
  };

  it("stores what the directory reports before it answers", async () => {
    const stub = await serveHttp(() => ({ body: envelope(listed) }));
    useSettings({ ...keys, SHAID_URL: `${stub.url}/` });
    expect(await raisesRevision(async () => expect(await post()).toEqual(done))).toBe(true);
    expect(await names()).toEqual([
      ...["Alert false", "CLIMATE false", "GetVehicleData false", "Show true", "Slider true", "gps true Show"],
      "speed false",
    ]);
    expect(await raisesRevision(async () => expect(await post()).toEqual(done))).toBe(false);
    expect(stub.seen.map(({ path }) => path)).toEqual(["/api/v2/permission", "/api/v2/permission"]);
    expect(await AuditEventModel.find({ action: "directory.update" }).lean()).toMatchObject([{ actor: "admin" }]);
  });

  it("two at once read one after the other", async () => {
    let open = 0;
    let max = 0;
    const stub = await serveHttp(() => (_, response) => {
      max = Math.max(max, ++open);
      setTimeout(() => {
        open--;
        response.end(JSON.stringify(envelope(listed)));
      }, 30);
    });
    useSettings({ ...keys, SHAID_URL: stub.url });
    expect(await Promise.all([post(), post(), post()])).toEqual([done, done, done]);
    expect([max, stub.seen.length]).toEqual([1, 3]);
  });

  it.each<[string, StubAnswer, string]>([
    ["refuses", { status: 403, body: envelope(null, "unknown key secret-9b1c") }, "status 403: unknown key \\*\\*\\*"],
    ["fails", { status: 500 }, "status 500"],
  ])("0.5: 500 with the reason beside it when the directory %s, and nothing is changed", async (_, answer, text) => {
    useSettings({ ...keys, SHAID_URL: (await serveHttp(() => answer)).url });
    const reason = expect.stringMatching(new RegExp(`${text}; the stored permissions are unchanged$`));
    vi.spyOn(log, "error").mockReturnValue();
    const work = async () =>
      expect(await post()).toEqual({ status: 500, message: "Internal server error", data: { reason } });
    expect(await raisesRevision(work)).toBe(false);
    expect(await names()).toEqual(before);
  });

  it("0.5: 500 with the reason beside it when there is no directory", async () => {
    useSettings({ EXAMPLE_DIRECTORY: "false" });
    vi.spyOn(log, "error").mockReturnValue();
    expect(await post()).toEqual({
      status: 500,
      message: "Internal server error",
      data: { reason: "No app directory is configured or running; the stored permissions are unchanged" },
    });
    expect(await names()).toEqual(before);
  });
});
