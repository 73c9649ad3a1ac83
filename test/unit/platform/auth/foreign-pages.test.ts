import { beforeEach, describe, expect, it, vi } from "vitest";
import * as nextAuthRoute from "@/app/api/auth/[...nextauth]/route";
import * as passwordRoute from "@/app/api/auth/password/route";
import { loginThrottle, replaceLoginThrottle } from "@/lib/platform/auth/login-throttle";
import { log } from "@/lib/platform/log";
import { needOf } from "@/app/_api/route-facts";
import { proxy } from "@/proxy";
import { aRequest } from "@/test/support/requests";
import { routeMethods } from "@/test/support/route-calls";
import { forgetSettings, useSettings } from "@/test/support/settings";
import { NextRequest } from "next/server";

/* No write below has a readable body: what the checks under test let through does nothing either. */

const secured = {
  ...{ AUTH_TYPE: "basic", BASIC_AUTH_PASSWORD: "open sesame" },
  SESSION_SECRET: "0123456789abcdef0123456789abcdef",
};
const foreign = [
  { origin: "https://evil.example" },
  { origin: "null" },
  { origin: "http://localhost:3001", "sec-fetch-site": "same-site" },
  { "sec-fetch-site": "cross-site" },
  { "sec-fetch-site": "none" },
];
const own = [{ origin: "http://localhost:3000" }, { origin: "null", "sec-fetch-site": "same-origin" }, {}];
const isWrite = (method: string) => method !== "GET";
const closed = routeMethods.filter(({ facts }) => needOf(facts) !== null || facts.needs === "visitor");
const administration = closed.filter(({ facts }) => needOf(facts) !== null);
const open = routeMethods.filter(({ facts }) => facts.needs === "public" || facts.needs === "webhook");

forgetSettings();
beforeEach(() => {
  replaceLoginThrottle(null);
  vi.spyOn(log, "warn").mockReturnValue();
});

async function statusOf({ handler, path, method }: (typeof routeMethods)[number], headers: Record<string, string>) {
  const at = path.replaceAll(/\[.*?\]/g, "x");
  const body = isWrite(method) ? "[" : undefined;
  return (await handler(aRequest(at, { method, body, headers: { host: "localhost:3000", ...headers } }))).status;
}

describe.each([{}, { AUTH_TYPE: "none" }])("finding B1: without a password, %j", (env) => {
  beforeEach(() => useSettings(env));

  it.each(administration.filter(({ method }) => isWrite(method)))("$name refuses pages of other sites", async (one) => {
    for (const headers of foreign) expect([headers, await statusOf(one, headers)]).toEqual([headers, 403]);
    expect(await statusOf(one, { cookie: "a=b" })).toBe(403);
    for (const headers of own) expect([headers, await statusOf(one, headers)]).not.toEqual([headers, 403]);
  });
});

describe("finding B1: names of this server", () => {
  const elsewhere = { host: "evil.example:3000", origin: "http://evil.example:3000", "sec-fetch-site": "same-origin" };

  it.each(closed)("$name answers under no name of somebody else while AUTH_TYPE is not set", async (one) => {
    useSettings({});
    expect(await statusOf(one, elsewhere)).toBe(421);
    useSettings({ AUTH_TYPE: "none" });
    expect(await statusOf(one, elsewhere)).not.toBe(421);
  });

  it.each(open)("$name is open by contract", async (one) => {
    useSettings({});
    const status = await statusOf(one, { ...elsewhere, "sec-fetch-site": "cross-site" });
    expect([403, 421]).not.toContain(status);
  });

  it.each(["/", "/login", "/applications", "/docs"])("the page %s says so, and how to change it", async (path) => {
    useSettings({});
    const page = (host: string) => proxy(new NextRequest(`http://${host}${path}`, { headers: { host } }));
    const refused = await page("evil.example:3000");
    expect([refused.status, refused.headers.get("content-type")]).toEqual([421, "text/plain; charset=utf-8"]);
    expect(await refused.text()).toContain("POLICY_SERVER_HOST");
    expect((await page("localhost:3000")).status).toBe(200);
  });
});

describe("finding B9: a page of another site neither signs out nor uses up the failures of a login", () => {
  const logins = (headers: Record<string, string>) => {
    const { path, handler } = routeMethods.find(({ name }) => name === "POST /api/v1/login") ?? { path: "" };
    const form = { "Content-Type": "application/x-www-form-urlencoded", host: "localhost:3000", ...headers };
    const send = (at: string) => aRequest(at, { method: "POST", headers: form, body: "password=guess" });
    const nextauth = { params: Promise.resolve({ nextauth: ["callback", "credentials"] }) };
    return [
      () => handler?.(send(path)),
      () => passwordRoute.POST(send("/api/auth/password")),
      () => nextAuthRoute.POST(new NextRequest(send("/api/auth/callback/credentials")), nextauth),
    ];
  };

  it.each(foreign)("%j", async (headers) => {
    useSettings(secured);
    const [json, page, nextAuth] = logins(headers);
    expect([(await json?.())?.status, (await nextAuth?.())?.status]).toEqual([403, 403]);
    expect((await page?.())?.headers.get("location")).toBe("/login?redirect=%2F&failed=403");
    expect(loginThrottle().size).toBe(0);
    const logout = routeMethods.find(({ name }) => name === "POST /api/v1/logout");
    expect(logout && (await statusOf(logout, headers))).toBe(403);
    const signOut = { params: Promise.resolve({ nextauth: ["signout"] }) };
    const left = aRequest("/api/auth/signout", {
      body: {},
      method: "POST",
      headers: { host: "localhost:3000", ...headers },
    });
    expect((await nextAuthRoute.POST(new NextRequest(left), signOut)).status).toBe(403);
  });

  it("counts the guesses of a program", async () => {
    useSettings(secured);
    for (const login of logins({}).slice(0, 2)) await login();
    expect(loginThrottle().size).toBe(1);
  });

  it.each(["signin", "signout", "providers", "error", "verify-request", "callback/credentials"])(
    "finding B13: GET /api/auth/%s is not there",
    async (path) => {
      useSettings(secured);
      const context = { params: Promise.resolve({ nextauth: path.split("/") }) };
      expect((await nextAuthRoute.GET(new NextRequest(aRequest(`/api/auth/${path}`)), context)).status).toBe(404);
      const others = { params: Promise.resolve({ nextauth: ["callback", "other"] }) };
      const post = new NextRequest(aRequest("/api/auth/callback/other", { body: {} }));
      expect((await nextAuthRoute.POST(post, others)).status).toBe(404);
    },
  );
});
