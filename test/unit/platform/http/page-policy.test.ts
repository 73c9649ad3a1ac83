import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { NextRequest } from "next/server";
import { beforeEach, describe, expect, it } from "vitest";
import { believeClientHeaders } from "@/lib/platform/http/read/client-address";
import { buildPagePolicy, toastStyleHashes } from "@/lib/platform/http/headers/page-policy";
import { config, proxy } from "@/proxy";
import { forgetSettings, useSettings } from "@/test/support/settings";

const directives = (policy: string | null) =>
  Object.fromEntries((policy ?? "").split("; ").map((part) => [part.split(" ")[0], part.split(" ").slice(1)]));

it("runs only scripts with the nonce, and loads nothing from elsewhere but pictures", () => {
  const policy = buildPagePolicy("abc", false);
  expect(directives(policy)).toMatchObject({
    "default-src": ["'self'"],
    "script-src": ["'self'", "'nonce-abc'", "'strict-dynamic'"],
    "style-src": ["'self'", "'nonce-abc'", ...toastStyleHashes],
    "style-src-attr": ["'unsafe-inline'"],
    "object-src": ["'none'"],
    "base-uri": ["'none'"],
    "form-action": ["'self'"],
    "frame-ancestors": ["'self'"],
  });
  expect(policy.replace("style-src-attr 'unsafe-inline'", "")).not.toMatch(/unsafe|http:/);
  expect(directives(buildPagePolicy("abc", true))["script-src"]).toContain("'unsafe-eval'");
});

it("allows the styles of toasts as they are installed, and no other", () => {
  const script = readFileSync("node_modules/sonner/dist/index.mjs", "utf8");
  const [, literal = ""] = /__insertCSS\((".*?")\);?\n/s.exec(script) ?? [];
  const hash = (text: string) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
  expect(toastStyleHashes).toEqual([hash(""), hash(JSON.parse(literal))]);
});

describe("the proxy before pages", () => {
  forgetSettings();
  const basic = { AUTH_TYPE: "basic", BASIC_AUTH_PASSWORD: "open sesame" };
  const ask = (path: string, headers: Record<string, string> = {}) =>
    proxy(new NextRequest(`http://policy.lan:3000${path}`, { headers: { host: "policy.lan:3000", ...headers } }));
  beforeEach(() => useSettings(basic));

  it("sends a stranger to the login page, with the way back", async () => {
    const answer = await ask("/groups?environment=staging&_rsc=1");
    expect(answer.status).toBe(307);
    expect(answer.headers.get("location")).toBe(
      "http://policy.lan:3000/login?redirect=%2Fgroups%3Fenvironment%3Dstaging",
    );
  });

  it("lets through who may be known, the login page, and everybody without a password", async () => {
    expect((await ask("/", { cookie: "next-auth.session-token=x" })).headers.has("location")).toBe(false);
    expect((await ask("/", { "basic-auth-password": "x" })).headers.has("location")).toBe(false);
    expect((await ask("/login")).headers.has("location")).toBe(false);
    useSettings();
    expect((await ask("/")).headers.has("location")).toBe(false);
  });

  it("finding A5: lets through whom a trusted proxy names with groups, and nobody else who says so", async () => {
    const env = { ...basic, TRUST_PROXY_ADDRESSES: "192.0.2.1", AUTH_USER_HEADER: "Remote-User" };
    const named = { "remote-user": "kim", "remote-groups": "staff" };
    const isSentAway = async (headers: Record<string, string>) =>
      (await ask("/about", headers)).headers.has("location");
    believeClientHeaders();
    useSettings({ ...env, AUTH_ROLES_HEADER: "Remote-Groups", OIDC_ROLES: "viewer=staff" });
    expect(await isSentAway(named)).toBe(false);
    expect(await isSentAway({ "remote-user": "kim" })).toBe(true);
    expect(await isSentAway({ "remote-groups": "staff" })).toBe(true);
    believeClientHeaders(false);
    expect(await isSentAway(named)).toBe(true);
    believeClientHeaders();
    useSettings(env);
    expect(await isSentAway(named)).toBe(true);
    believeClientHeaders(false);
  });

  it("over TLS knows only the cookie that came over TLS", async () => {
    const tls = { "x-forwarded-proto": "https" };
    expect((await ask("/", { ...tls, cookie: "next-auth.session-token=x" })).status).toBe(307);
    expect((await ask("/", { ...tls, cookie: "__Host-next-auth.session-token=x" })).status).toBe(200);
  });

  it("gives every page a policy with a nonce of its own, and the same to the renderer", async () => {
    const [one, other] = [await ask("/login"), await ask("/login")];
    const policy = one.headers.get("content-security-policy");
    expect(policy).toMatch(/'nonce-[\w+/]{22}=='/);
    expect(other.headers.get("content-security-policy")).not.toBe(policy);
    expect(one.headers.get("x-middleware-request-content-security-policy")).toBe(policy);
    expect(policy).toContain(`'nonce-${one.headers.get("x-middleware-request-x-nonce")}'`);
  });

  it("tells the page its path, whatever the client says", async () => {
    const answer = await ask("/login?redirect=/a", { "x-page-path": "//evil.example" });
    expect(answer.headers.get("x-middleware-request-x-page-path")).toBe("/login?redirect=%2Fa");
  });

  it.each([
    ["/login/basic?redirect=%2Fabout", "/login?redirect=%2Fabout"],
    ["/login/?redirect=%2Fabout", "/login?redirect=%2Fabout"],
    ["/login?password=open+sesame&redirect=%2Fabout", "/login?redirect=%2Fabout"],
    ["/login/basic?password=x", "/login"],
    ["/applications/?q=a&size=25", "/applications?q=a&size=25"],
    ["//evil.example/", "/evil.example"],
  ])("2.12: %s has the address %s", async (path, own) => {
    const answer = await ask(path, { cookie: "next-auth.session-token=x" });
    expect([answer.status, answer.headers.get("location")]).toEqual([308, `http://policy.lan:3000${own}`]);
  });

  it("runs for pages and for nothing else", () => {
    const [source = ""] = config.matcher;
    const runs = (path: string) => new RegExp(`^${source}$`).test(path);
    for (const path of ["/", "/login", "/applications/3", "/healthy", "/apiary", "/policytable"]) {
      expect([path, runs(path)]).toEqual([path, true]);
    }
    for (const path of [
      ...["/api/v1/about", "/api/auth/csrf", "/health", "/health/ready", "/metrics", "/version"],
      ...["/bundles/0123456789abcdef0123456789abcdef.zip", "/_next/static/a.js", "/images/lock-screen.png"],
    ]) {
      expect([path, runs(path)]).toEqual([path, false]);
    }
  });
});
