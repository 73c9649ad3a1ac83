import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import * as passwordRoute from "@/app/api/auth/password/route";
import * as aboutRoute from "@/app/api/v1/about/route";
import * as groupsRoute from "@/app/api/v1/groups/route";
import * as loginRoute from "@/app/api/v1/login/route";
import * as logoutRoute from "@/app/api/v1/logout/route";
import * as metricsRoute from "@/app/metrics/route";
import { findPrincipal } from "@/lib/platform/auth/callers/find-principal";
import { replaceLoginThrottle } from "@/lib/platform/auth/login-throttle";
import { believeClientHeaders, clientAddressHeader } from "@/lib/platform/http/read/client-address";
import { log } from "@/lib/platform/log";
import { aRequest, readAnswer } from "@/test/support/requests";
import { forgetSettings, useSettings } from "@/test/support/settings";

const password = "open sesame";
const env = {
  AUTH_TYPE: "basic",
  BASIC_AUTH_PASSWORD: password,
  SESSION_SECRET: "0123456789abcdef0123456789abcdef",
};
const host = { host: "policy.lan:3000" };

forgetSettings();
beforeEach(() => {
  useSettings(env);
  believeClientHeaders();
  replaceLoginThrottle(null);
  vi.spyOn(log, "warn").mockReturnValue();
});
afterEach(() => vi.restoreAllMocks());

async function login(body: unknown, headers: Record<string, string> = {}) {
  const response = await loginRoute.POST(aRequest("/api/v1/login", { body, headers: { ...host, ...headers } }));
  return { status: response.status, cookie: response.headers.get("set-cookie"), ...(await readAnswer(response)) };
}
const from = (address: string) => ({ [clientAddressHeader]: address });
const sessionOf = (cookie: string | null) => cookie?.split(";")[0] ?? "";

describe("POST /login (2.1)", () => {
  it.each([{}, { AUTH_TYPE: "none" }])("is open and sets no cookie with %j", async (open) => {
    useSettings({ ...open, POLICY_SERVER_HOST: "policy.lan" });
    expect(await login({})).toMatchObject({ status: 200, data: {}, cookie: null });
  });

  it("starts a session for the right password", async () => {
    const answer = await login({ password });
    expect(answer).toMatchObject({ status: 200, data: {} });
    expect(answer.cookie).toMatch(/^next-auth\.session-token=[\w.-]+; Path=\/; Max-Age=7200; HttpOnly; SameSite=Lax$/);
    expect(answer.cookie).not.toContain(password);
  });

  it("marks the cookie as secure over TLS, with the name browsers guard", async () => {
    const { cookie } = await login({ password }, { "x-forwarded-proto": "https" });
    expect(cookie).toMatch(/^__Host-next-auth\.session-token=.*; Secure$/);
  });

  it.each([
    {},
    { password: null },
    { password: "" },
    { password: [password] },
    { password: { $ne: "" } },
    { password: 1 },
  ])("2.1 [Δ32]: answers 401 to %j", async (body) => {
    expect(await login(body)).toMatchObject({
      status: 401,
      cookie: null,
      data: {},
      meta: { message: "Password missing or wrong" },
    });
  });

  it("takes a form, and a password beyond ASCII", async () => {
    useSettings({ ...env, BASIC_AUTH_PASSWORD: "Käse & Brot" });
    expect((await login({ password: "Käse & Brot" })).status).toBe(200);
    const form = { "Content-Type": "application/x-www-form-urlencoded" };
    expect((await login(new URLSearchParams({ password: "Käse & Brot" }).toString(), form)).status).toBe(200);
  });

  it("answers 429 after ten failures from one address, to the right password, too, and 200 to another", async () => {
    for (let count = 0; count < 10; count += 1) {
      expect((await login({ password: "guess" }, from("192.0.2.1"))).status).toBe(401);
    }
    const blocked = await login({ password }, from("192.0.2.1"));
    expect(blocked).toMatchObject({ status: 429, cookie: null, data: {}, meta: { message: "Too many attempts" } });
    expect((await login({ password }, from("192.0.2.2"))).status).toBe(200);
  });

  it("finding B4: wrong headers count like logins, and say where they come from", async () => {
    const ask = (typed: string, address: string) => {
      const headers = { ...host, ...from(address), "BASIC-AUTH-PASSWORD": typed };
      return aboutRoute.GET(aRequest("/api/v1/about", { headers }));
    };
    for (let count = 0; count < 10; count += 1) {
      expect((await ask("guess", "192.0.2.1")).status).toBe(401);
      // A program that knows the password takes nothing back for somebody who guesses beside it.
      if (count < 9) expect((await ask(password, "192.0.2.1")).status).toBe(200);
    }
    expect(log.warn).toHaveBeenCalledTimes(10);
    expect(log.warn).toHaveBeenLastCalledWith({ address: "192.0.2.1" }, "wrong password in a header");
    for (const typed of ["guess", password]) {
      const blocked = await ask(typed, "192.0.2.1");
      expect(blocked.status).toBe(429);
      expect(Number(blocked.headers.get("retry-after"))).toBeGreaterThan(50);
    }
    expect((await login({ password }, from("192.0.2.1"))).status).toBe(429);
    expect((await ask(password, "192.0.2.2")).status).toBe(200);
  });

  it("finding B4: pages and figures are no way to guess without being counted", async () => {
    const headers = { ...host, ...from("192.0.2.1"), "BASIC-AUTH-PASSWORD": "guess" };
    for (let count = 0; count < 10; count += 1) {
      if (count % 2 === 0) expect(await findPrincipal(new Headers(headers))).toBeNull();
      else expect((await metricsRoute.GET(aRequest("/metrics", { headers }))).status).toBe(401);
    }
    const right = { ...headers, "BASIC-AUTH-PASSWORD": password };
    await expect(findPrincipal(new Headers(right))).rejects.toMatchObject({ status: 429 });
    expect((await metricsRoute.GET(aRequest("/metrics", { headers: right }))).status).toBe(429);
  });
});

describe("the form of the login page, sent without scripts", () => {
  const form = { ...host, "Content-Type": "application/x-www-form-urlencoded" };
  const send = async (members: Record<string, string>, headers: Record<string, string> = {}) => {
    const body = new URLSearchParams(members).toString();
    const response = await passwordRoute.POST(
      aRequest("/api/auth/password", { body, headers: { ...form, ...headers } }),
    );
    expect(await response.text()).toBe("");
    const { status, headers: sent } = response;
    return { status, location: sent.get("location"), cookie: sent.get("set-cookie") };
  };

  it("leads to the page that was asked for, with the session of POST /login", async () => {
    const { cookie, ...rest } = await send({ username: "administrator", password, redirect: "/docs?a=b%26c" });
    expect(rest).toEqual({ status: 303, location: "/docs?a=b%26c" });
    expect(cookie).toMatch(/^next-auth\.session-token=[\w.-]+; Path=\/; Max-Age=7200; HttpOnly; SameSite=Lax$/);
    useSettings({ POLICY_SERVER_HOST: "policy.lan" });
    expect(await send({ redirect: "/about" })).toEqual({ status: 303, location: "/about", cookie: null });
  });

  it.each(["//evil.example", "https://evil.example/", "/api/v1/about", "/login", "javascript:alert(1)"])(
    "2.1: does not lead to %s",
    async (redirect) => expect(await send({ password, redirect })).toMatchObject({ status: 303, location: "/" }),
  );

  it("leads back to the form with the status of a refusal, and without a session", async () => {
    const refused = (status: number) => ({
      status: 303,
      location: `/login?redirect=%2Fdocs%3Fa%3Db&failed=${status}`,
      cookie: null,
    });
    expect(await send({ password: "guess", redirect: "/docs?a=b" }, from("192.0.2.9"))).toEqual(refused(401));
    for (let count = 0; count < 9; count += 1) await send({ password: "guess" }, from("192.0.2.9"));
    expect(await send({ password, redirect: "/docs?a=b" }, from("192.0.2.9"))).toEqual(refused(429));
    expect(await send({ password }, { "Content-Type": "multipart/form-data" })).toMatchObject({
      location: "/login?redirect=%2F&failed=415",
      cookie: null,
    });
  });
});

describe("a session (0.6)", () => {
  let cookie: string;
  beforeEach(async () => {
    cookie = sessionOf((await login({ password })).cookie);
  });
  const about = async (headers: Record<string, string>) =>
    (await aboutRoute.GET(aRequest("/api/v1/about", { headers: { ...host, ...headers } }))).status;
  const write = async (headers: Record<string, string>) => {
    const response = await groupsRoute.POST(aRequest("/api/v1/groups", { headers: { ...host, ...headers }, body: {} }));
    return (await readAnswer(response)).meta.code;
  };

  it("opens what the header opens", async () => {
    expect(await about({ cookie })).toBe(200);
    expect(await about({ cookie: `a=b; ${cookie}; c=d`, "BASIC-AUTH-PASSWORD": "wrong" })).toBe(200);
    expect(await about({ "BASIC-AUTH-PASSWORD": password })).toBe(200);
    expect(await about({ cookie: "next-auth.session-token=x" })).toBe(401);
    expect(await about({ authorization: `Bearer ${cookie.split("=")[1] ?? ""}` })).toBe(401);
    expect(await about({})).toBe(401);
    const metrics = await metricsRoute.GET(aRequest("/metrics", { headers: { ...host, cookie } }));
    // Nothing runs here that could be measured; what matters is not being refused.
    expect(metrics.status).toBe(503);
    expect((await metricsRoute.GET(aRequest("/metrics"))).status).toBe(401);
  });

  it("does not open over TLS what began on a plain line", async () =>
    expect(await about({ cookie, "x-forwarded-proto": "https" })).toBe(401));

  it("2.1: changes nothing without a proof that a page of this server asks", async () => {
    expect(await write({ cookie })).toBe(403);
    expect(await write({ cookie, origin: "https://evil.example", "sec-fetch-site": "cross-site" })).toBe(403);
    expect(await write({ cookie, origin: "null" })).toBe(403);
    // 400: the empty body is looked at.
    expect(await write({ cookie, origin: "http://policy.lan:3000" })).toBe(400);
    expect(await write({ cookie, "sec-fetch-site": "same-origin" })).toBe(400);
    expect(await write({ "BASIC-AUTH-PASSWORD": password, origin: "https://evil.example" })).toBe(400);
  });

  it("ends with a logout that a page of this server asks for", async () => {
    const logout = (headers: Record<string, string>) =>
      logoutRoute.POST(aRequest("/api/v1/logout", { method: "POST", headers: { ...host, ...headers } }));
    const refused = await logout({ cookie });
    expect([refused.status, refused.headers.get("set-cookie")]).toEqual([403, null]);
    const ended = await logout({ cookie, origin: "http://policy.lan:3000" });
    expect(ended.status).toBe(200);
    expect(ended.headers.get("set-cookie")).toMatch(/^next-auth\.session-token=; Path=\/; Max-Age=0; HttpOnly/);
    expect((await logout({})).status).toBe(200);
  });
});
