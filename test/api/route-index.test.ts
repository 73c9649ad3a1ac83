import { beforeEach, describe, expect, it } from "vitest";
import { replaceLoginThrottle } from "@/lib/platform/auth/login-throttle";
import type { RouteHandler } from "@/app/_api/api-route";
import { directoryKey, password, requestOf, withApi } from "@/test/support/api";
import { aRequest, readAnswer } from "@/test/support/requests";
import { allPaths, needingServer, findRoute } from "@/test/support/route-calls";
import { filePathOf, routeIndex } from "@/test/support/route-index";

/* `api.md` sections 16 and 0; prefixes and unknown paths: test/server/route-index.test.ts. */

const api = withApi();
const secured = { AUTH_TYPE: "basic", BASIC_AUTH_PASSWORD: password };
const allMethods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const;
type Handlers = Record<(typeof allMethods)[number], RouteHandler>;

const successOf = (name: string) => (needingServer.has(name) ? [200, 500] : [200]);

const handlersOf = (path: string): Handlers =>
  allPaths.find((one) => one.path === filePathOf(path))?.handlers as unknown as Handlers;
const definedMethods = (path: string): string[] => {
  const own = routeIndex.filter((row) => row[1] === path).map(([method]) => method as string);
  const withPreflight = routeIndex.some((row) => row[1] === path && row[3] === "preflight");
  return [...own, ...(own.includes("GET") ? ["HEAD"] : []), ...(withPreflight ? ["OPTIONS"] : [])];
};

describe.each(routeIndex)("section 16: %s %s (class %s)", (method, path, access, cors?: string) => {
  const route = () => findRoute(`${method} ${filePathOf(path)}`);
  const validCall = () => api.calls()[route().name]?.[0] ?? {};
  const bare = (headers: Record<string, string> = {}) => aRequest(`/api/v1${path}`, { method, headers });

  it("answers JSON in the envelope", async () => {
    const response = await route().handler(requestOf(route(), validCall()));
    expect(successOf(route().name)).toContain(response.status);
    expect(response.headers.get("content-type")).toBe("application/json; charset=utf-8");
    const { meta, data } = await response.json();
    expect(meta).toMatchObject({ code: response.status, request_id: expect.stringMatching(/^[0-9a-f-]{36}$/) });
    expect(data).toBeDefined();
  });

  // Every row tries wrong passwords, all from one address.
  beforeEach(() => replaceLoginThrottle(null));

  it("0.6: is open to its class and closed to others", async () => {
    api.use(secured);
    const refused = { A: 401, W: 401, P: null }[access];
    const stranger = await route().handler(bare());
    await readAnswer(stranger);
    if (refused !== null) expect(stranger.status).toBe(refused);
    else if (path !== "/login") expect(stranger.status).not.toBe(401);

    const wrong = await route().handler(
      bare({ "basic-auth-password": `${password}!`, public_key: `${directoryKey}!` }),
    );
    if (refused !== null) expect(wrong.status).toBe(refused);
    const other = access === "W" ? { "basic-auth-password": password } : { public_key: directoryKey };
    if (refused !== null) expect((await route().handler(bare(other))).status).toBe(refused);

    const request = requestOf(route(), validCall());
    request.headers.set("basic-auth-password", password);
    expect(successOf(route().name)).toContain((await route().handler(request)).status);
  });

  it("0.7: says to other origins what it has to, on failures too", async () => {
    const expected = cors === undefined ? null : "*";
    const origin = { origin: "https://elsewhere.example" };
    const handlers = handlersOf(path);
    const success = await route().handler(requestOf(route(), validCall()));
    const failures = [await handlers.PATCH(aRequest("/", { method: "PATCH", headers: origin }))];
    if (method !== "GET") failures.push(await route().handler(aRequest("/", { method, body: "{", headers: origin })));
    for (const response of [success, ...failures]) {
      expect(response.headers.get("access-control-allow-origin")).toBe(expected);
    }
    expect(failures.every(({ ok }) => !ok)).toBe(true);
    const asked = { ...origin, "access-control-request-method": method, "access-control-request-headers": "x-a" };
    const preflight = await handlers.OPTIONS(aRequest("/", { method: "OPTIONS", headers: asked }));
    const names = [...preflight.headers.keys()].filter((name) => name.startsWith("access-control-"));
    if (cors !== "preflight") expect([preflight.status, names]).toEqual([405, []]);
    else {
      expect(preflight.status).toBe(204);
      expect(preflight.headers.get("access-control-allow-origin")).toBe("*");
      expect(preflight.headers.get("access-control-allow-methods")).toContain("POST");
      expect(preflight.headers.get("access-control-allow-headers")).toBe("x-a");
      expect(preflight.headers.get("vary")).toContain("Access-Control-Request-Headers");
    }
  });

  it("0.1: answers every other method with 405 and Allow", async () => {
    const expected = definedMethods(path);
    for (const other of allMethods.filter((name) => !expected.includes(name))) {
      const response = await handlersOf(path)[other](aRequest(`/api/v1${path}`, { method: other }));
      expect([other, response.status]).toEqual([other, 405]);
      expect(response.headers.get("allow")?.split(", ").sort()).toEqual(expected.toSorted());
      expect((await readAnswer(response)).meta.message).toBe("Method not allowed");
    }
  });

  it("0.9: carries the security headers", async () => {
    const response = await route().handler(bare());
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "x-content-type-options": "nosniff",
      "x-frame-options": "SAMEORIGIN",
      "x-dns-prefetch-control": "off",
      "referrer-policy": "no-referrer",
    });
  });
});
