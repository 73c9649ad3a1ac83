import mongoose from "mongoose";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { makeTokenText } from "@/lib/platform/auth/tokens/token-text";
import { log } from "@/lib/platform/log";
import { needOf } from "@/app/_api/route-facts";
import { mayDo, type Role, roleFor, roles } from "@/lib/vocabulary/roles";
import { callUnread, closedRoutes, reaches } from "@/test/support/closed-routes";
import { routeMethods, type RouteMethod } from "@/test/support/route-calls";
import { routeRoles } from "@/test/support/route-roles";
import { forgetSettings, useSettings } from "@/test/support/settings";
import { withToken } from "@/test/support/tokens";

/* `people.md` section 5, by the table of routes; people: roles-in-browsers.test.ts. */

forgetSettings();
// As in a server: without a connection, a route answers at once.
mongoose.set("bufferCommands", false);
const password = "open sesame";
const secured = { AUTH_TYPE: "basic", BASIC_AUTH_PASSWORD: password, SESSION_SECRET: "0123456789abcdef".repeat(2) };
beforeEach(() => {
  vi.spyOn(log, "info").mockReturnValue();
  vi.spyOn(log, "warn").mockReturnValue();
  useSettings(secured);
});

const bearer = (text: string) => ({ authorization: `Bearer ${text}` });

it("P7: every route declares what the table of routes says, and no other is there", () => {
  const declared = routeMethods.map(({ name, facts }) => {
    const need = needOf(facts);
    const caller = need === null ? facts.needs : roleFor[need];
    return [name, facts.moreNeeded === null ? caller : [caller, roleFor[facts.moreNeeded.needs]]];
  });
  expect(Object.fromEntries(declared)).toEqual(routeRoles);
});

it("P7: the table of section 2 holds for what each role may", () => {
  const may = (role: Role) => (["read", "edit", "publish", "administer"] as const).filter((need) => mayDo(role, need));
  expect(roles.map((role) => may(role).join(" "))).toEqual([
    "read",
    "read edit",
    "read edit publish",
    "read edit publish administer",
  ]);
  expect(mayDo(null, "read")).toBe(false);
});

describe.each(closedRoutes)("P7: $name", (route) => {
  const { role: least } = route;

  it("refuses nobody in particular, and tokens that do not hold", async () => {
    const over = withToken("admin", { expiresAt: new Date(Date.now() - 1) });
    const right = withToken("admin").authorization;
    const wrong = right.slice(0, -1) + (right.endsWith("A") ? "B" : "A");
    for (const headers of [{}, over, bearer(makeTokenText().text), { authorization: wrong }]) {
      expect((await callUnread(route, headers)).status).toBe(401);
    }
  });

  it.each(roles)("a token of a %s", async (role) => {
    const { status, text } = await callUnread(route, withToken(role));
    if (reaches(role, least)) expect([401, 403]).not.toContain(status);
    else expect([status, text]).toEqual([403, expect.stringContaining(`needs the role ${least}`)]);
  });

  it("P11: needs no origin with a token, and looks at no cookie then", async () => {
    const headers = { ...withToken("admin"), origin: "https://evil.example", cookie: "a=b" };
    expect([401, 403]).not.toContain((await callUnread(route, headers)).status);
  });

  it("P12: the password in the header is an administrator's", async () =>
    expect([401, 403]).not.toContain((await callUnread(route, { "BASIC-AUTH-PASSWORD": password })).status));
});

describe("P11: tokens and AUTH_TYPE", () => {
  const me = routeMethods.filter(({ name }) => name === "GET /api/v1/me");
  const tell = async (headers: Record<string, string>) =>
    JSON.parse((await callUnread(me[0] as RouteMethod, headers)).text).data;

  it("a program is known by the name of its token, verified", async () =>
    expect(await tell({ ...withToken("editor"), "X-Display-Name": "Somebody" })).toEqual({
      name: "Program of a editor",
      is_verified: true,
      proof: "token",
      role: "editor",
    }));

  it("with none a token takes its role, while others may do everything", async () => {
    useSettings({ AUTH_TYPE: "none" });
    expect(await tell(withToken("viewer"))).toMatchObject({ proof: "token", role: "viewer" });
    expect(await tell({})).toMatchObject({ proof: "open", role: "admin" });
  });

  it("without AUTH_TYPE everybody is an administrator, with a token as well", async () => {
    useSettings({});
    expect(await tell(withToken("viewer"))).toMatchObject({ proof: "open", role: "admin" });
  });

  it("a bearer token of others is left alone", async () => {
    useSettings({ AUTH_TYPE: "none" });
    expect(await tell(bearer("eyJhbGciOiJub25lIn0.e30."))).toMatchObject({ proof: "open" });
  });
});
