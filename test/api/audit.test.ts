import { beforeAll, describe, expect, it } from "vitest";
import * as administrator from "@/app/api/v1/applications/administrator/route";
import * as audit from "@/app/api/v1/audit/route";
import { fetchQuery, send, storeApp } from "@/test/support/applications";
import { withDatabase } from "@/test/support/database";
import { aRequest } from "@/test/support/requests";
import { forgetSettings, useSettings } from "@/test/support/settings";

withDatabase();
forgetSettings();

const list = (query = "") => fetchQuery(audit.GET, query);
const idsOf = ({ data }: Awaited<ReturnType<typeof list>>): number[] => data.events.map(({ id }: any) => id);

describe("GET audit (addition)", () => {
  beforeAll(async () => {
    for (const uuid of ["app-1", "app-2", "app-3"]) {
      await storeApp(uuid);
      await send(administrator.POST, { uuid, is_administrator_app: true });
    }
  });

  it("lists events newest first, with every member", async () => {
    const { data } = await list();
    expect(data.next_cursor).toBeNull();
    expect(data.events.map((one: any) => one.target)).toEqual(["app:app-3", "app:app-2", "app:app-1"]);
    expect(data.events[2]).toStrictEqual({
      id: 1,
      created_ts: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      revision: 2,
      actor: "admin",
      route: "POST /api/v1/x",
      request_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      action: "applications.administrator",
      target: "app:app-1",
      before: { isAdministratorApp: false },
      after: { isAdministratorApp: true },
    });
  });

  it("gives pages that together are everything", async () => {
    const first = await list("?limit=2");
    expect(idsOf(first)).toEqual([3, 2]);
    const second = await list(`?limit=2&cursor=${first.data.next_cursor}`);
    expect(idsOf(second)).toEqual([1]);
    expect(second.data.next_cursor).toBeNull();
    expect((await list("?limit=3")).data.next_cursor).toBeNull();
  });

  it("lists what was done to one target", async () => {
    expect(idsOf(await list("?target=app:app-2"))).toEqual([2]);
    expect(idsOf(await list("?target=app:app-2&cursor=2"))).toEqual([]);
    expect(idsOf(await list("?target=nothing%00"))).toEqual([]);
    expect(idsOf(await list("?cursor=0"))).toEqual([]);
  });

  it.each([
    ["?limit=0", "limit must be an integer from 1 to 1000"],
    ["?limit=1001", "limit must be an integer from 1 to 1000"],
    ["?limit=x", "limit must be an integer"],
    ["?cursor=1.5", "cursor must be an integer"],
  ])("refuses %s", async (query, message) => {
    expect(await list(query)).toEqual({ status: 400, message, data: {} });
  });

  it("is class A and only readable", async () => {
    useSettings({ AUTH_TYPE: "basic", BASIC_AUTH_PASSWORD: "let me in" });
    expect((await list()).status).toBe(401);
    const response = await audit.DELETE(aRequest("/x", { method: "DELETE" }));
    expect([response.status, response.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
  });
});
