import { beforeAll, describe, expect, it } from "vitest";
import { believeClientHeaders } from "@/lib/platform/http/read/client-address";
import * as administrator from "@/app/api/v1/applications/administrator/route";
import * as audit from "@/app/api/v1/audit/route";
import { fetchQuery, send, storeApp } from "@/test/support/applications";
import { withDatabase } from "@/test/support/database";
import { aRequest, readAnswer } from "@/test/support/requests";
import { AuditEventModel } from "@/models/audit-event";
import { useSettings } from "@/test/support/settings";

withDatabase();

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
      person_id: "open",
      display_name: null,
      display_name_verified: false,
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
});

describe("1.2 Who did it", () => {
  // As the server entry does; which names are taken is in test/unit/platform/http.
  beforeAll(() => believeClientHeaders());
  const behindProxy = { TRUST_PROXY_ADDRESSES: "127.0.0.1", AUTH_USER_HEADER: "Remote-User" };
  const zoe = Buffer.from("Zoë").toString("latin1");
  const both = { "Remote-User": zoe, "X-Display-Name": "Eve" };

  it.each([
    ["the caller's own name is kept", {}, { "X-Display-Name": "J%C3%B6rg%20M." }, "Jörg M.", false],
    ["for one that cannot be read nothing is refused", {}, { "X-Display-Name": "%E0%A4" }, null, false],
    ["the proxy's name wins", behindProxy, both, "Zoë", true],
    ["without one the caller's own is kept", behindProxy, { ...both, "Remote-User": " " }, "Eve", false],
    ["without the setting none is believed", { TRUST_PROXY_ADDRESSES: "127.0.0.1" }, both, "Eve", false],
  ])("%s", async (_, settings, headers, name, isVerified) => {
    useSettings(settings);
    await storeApp("app-8");
    for (const is_administrator_app of [false, true]) {
      const body = { uuid: "app-8", is_administrator_app };
      const answer = await readAnswer(await administrator.POST(aRequest("/api/v1/x", { headers, body })));
      expect(answer.meta.code).toBe(200);
    }
    const { data } = await list("?target=app:app-8&limit=1");
    expect(data.events[0]).toMatchObject({ actor: "admin", display_name: name, display_name_verified: isVerified });
  });

  it("the proxy's name lets nobody in", async () => {
    useSettings({ ...behindProxy, AUTH_TYPE: "basic", BASIC_AUTH_PASSWORD: "let me in" });
    const headers = { "Remote-User": zoe };
    const body = { uuid: "app-8", is_administrator_app: true };
    expect((await administrator.POST(aRequest("/api/v1/x", { headers, body }))).status).toBe(401);
    expect((await audit.GET(aRequest("/api/v1/audit", { headers }))).status).toBe(401);
  });

  it("events of earlier versions have no name", async () => {
    const names = { displayName: "", isNameVerified: "" };
    await AuditEventModel.collection.updateMany({ target: "app:app-8" }, { $unset: names });
    const { data } = await list("?target=app:app-8");
    expect(data.events.length).toBeGreaterThan(0);
    expect(data.events.every((event: any) => event.display_name === null)).toBe(true);
    expect(data.events.every((event: any) => event.display_name_verified === false)).toBe(true);
  });
});
