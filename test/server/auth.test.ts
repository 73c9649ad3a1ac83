import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { readFileSync, rmSync, statSync } from "node:fs";
import { Agent, get } from "node:http";
import { request as httpsRequest } from "node:https";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { freePort, startServer, type TestServer } from "@/test/support/server";

const password = "correct horse battery staple";
const basic = { AUTH_TYPE: "basic", BASIC_AUTH_PASSWORD: password, LISTEN_ADDRESS: "127.0.0.1" };
const json = { "content-type": "application/json" };

let server: TestServer;
const call = (at: string, init: RequestInit = {}) => fetch(server.origin + at, { redirect: "manual", ...init });
/** One proxy is believed: its last entry is the client. */
const login = (typed: unknown, address: string, headers: Record<string, string> = {}) =>
  call("/api/v1/login", {
    method: "POST",
    headers: { ...json, "x-forwarded-for": `203.0.113.99, ${address}`, ...headers },
    body: JSON.stringify({ password: typed }),
  });
const cookieOf = (response: Response) => response.headers.getSetCookie()[0]?.split(";")[0] ?? "";

beforeAll(async () => {
  server = await startServer({ env: { ...basic, TRUST_PROXY_ADDRESSES: "127.0.0.0/8" } });
});
afterAll(() => server.stop());

describe("AUTH_TYPE=basic", () => {
  let cookie: string;
  beforeAll(async () => {
    cookie = cookieOf(await login(password, "192.0.2.1"));
  });

  it("finding A8: the icon of the lock screen is there for phones, which have no password", async () => {
    const answer = await call("/images/lock-screen.png");
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "image/png"]);
    const bytes = Buffer.from(await answer.arrayBuffer());
    expect(bytes.equals(readFileSync(path.resolve("public/images/lock-screen.png")))).toBe(true);
  });

  it("2.1: the login sets next-auth's cookie, which opens API, metrics and pages", async () => {
    const response = await login(password, "192.0.2.1");
    expect(response.status).toBe(200);
    expect(response.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^next-auth\.session-token=[\w.-]+; Path=\/; Max-Age=7200; HttpOnly; SameSite=Lax$/),
    ]);
    const headers = { cookie: cookieOf(response) };
    expect((await call("/api/v1/about", { headers })).status).toBe(200);
    expect((await call("/metrics", { headers })).status).toBe(200);
    const page = await call("/docs", { headers });
    expect(page.status).toBe(200);
    expect(await page.text()).toContain("OpenAPI 3.1");
    const start = await call("/", { headers });
    expect(start.status).toBe(200);
    expect(await start.text()).toContain("<title>Overview · Policy Server</title>");
    const session = await (await call("/api/auth/session", { headers })).json();
    expect(session).toEqual({ user: { name: "Administrator" }, expires: expect.any(String) });
  });

  it("N3a: 300 connections of strangers at the login page keep nobody out who is signed in", async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 300 });
    let [isOver, answered] = [false, 0];
    const knock = () =>
      new Promise<void>((resolve) => {
        const request = get(`${server.origin}/login`, { agent }, (answer) => {
          answered += 1;
          answer.resume().once("close", resolve);
        });
        request.once("error", () => resolve());
      });
    const strangers = Array.from({ length: 300 }, async () => {
      while (!isOver) await knock();
    });
    await expect.poll(() => answered).toBeGreaterThan(20);
    const failed: unknown[] = [];
    const ask = async (at: string, init: RequestInit) => {
      const answer = await call(at, init);
      await answer.arrayBuffer();
      if (answer.status !== 200) failed.push([at, answer.status]);
    };
    for (let round = 0; round < 10; round++) {
      await ask("/api/v1/about", { headers: { cookie } });
      await ask("/docs", { headers: { cookie } });
      await ask("/api/v1/groups", { headers: { "BASIC-AUTH-PASSWORD": password } });
    }
    isOver = true;
    await Promise.all(strangers);
    agent.destroy();
    expect(failed).toEqual([]);
  });

  it("N10: everything that is there is answered", async () => {
    const signedIn = { cookie };
    const pages = ["/applications", "/about/", "/login/basic", "/functionalgroups/manage", "/vehicledata", "/docs"];
    for (const path of pages) expect([path, (await call(path, { headers: signedIn })).status]).not.toContain(404);
    const html = await (await call("/applications", { headers: signedIn })).text();
    const files = [...html.matchAll(/\/_next\/static\/[^"\\]+\.(?:js|css|woff2)/g)].map(([file]) => file);
    expect(files.length).toBeGreaterThan(3);
    for (const file of [...new Set(files), "/icon.svg"]) expect([file, (await call(file)).status]).toEqual([file, 200]);
  });

  it("gives every page a Content-Security-Policy whose nonce is on its scripts", async () => {
    for (const [at, headers] of [
      ["/login", {}],
      ["/docs", { cookie }],
      ["/no-such-page", { cookie, accept: "text/html" }],
    ] as const) {
      const page = await call(at, { headers });
      const policy = page.headers.get("content-security-policy") ?? "";
      const nonce = /script-src 'self' 'nonce-([^']+)' 'strict-dynamic';/.exec(policy)?.[1] ?? "none";
      const scripts = [...(await page.text()).matchAll(/<script[^>]*>/g)].map(([tag]) => tag);
      expect(scripts.length).toBeGreaterThan(0);
      for (const script of scripts) expect([at, script]).toEqual([at, expect.stringContaining(`nonce="${nonce}"`)]);
      expect(page.headers.get("x-frame-options")).toBe("SAMEORIGIN");
      expect(page.headers.get("x-powered-by")).toBeNull();
    }
    expect((await call("/api/v1/about")).headers.get("content-security-policy")).toBeNull();
  });

  it("signs in and out through next-auth's own endpoints", async () => {
    const token = await call("/api/auth/csrf");
    const { csrfToken } = await token.json();
    const headers = {
      cookie: token.headers
        .getSetCookie()
        .map((one) => one.split(";")[0])
        .join("; "),
    };
    const post = (at: string, form: Record<string, string>, extra: Record<string, string> = {}) =>
      call(`/api/auth/${at}`, {
        method: "POST",
        headers: { ...headers, ...extra },
        body: new URLSearchParams({ csrfToken, ...form }),
      });
    const entered = await post("callback/credentials", { password, callbackUrl: "/?a=b" });
    expect([entered.status, entered.headers.get("location")]).toEqual([302, "/?a=b"]);
    const session = entered.headers.getSetCookie().find((one) => one.startsWith("next-auth.session-token="));
    expect(session).toMatch(/Path=\/; Expires=.*; HttpOnly; SameSite=Lax/);
    const sessionCookie = session?.split(";")[0] ?? "";
    expect((await call("/api/v1/about", { headers: { cookie: sessionCookie } })).status).toBe(200);
    const script = await post("callback/credentials", { password, callbackUrl: "//evil.example", json: "true" });
    expect(await script.json()).toEqual({ url: `${server.origin}/` });
    const both = { cookie: `${headers.cookie}; ${sessionCookie}` };
    expect((await post("signout", { callbackUrl: "/" }, both)).status).toBe(403);
    const left = await post("signout", { callbackUrl: "/" }, { ...both, origin: server.origin });
    expect([left.status, left.headers.get("location")]).toEqual([302, "/"]);
    expect(left.headers.getSetCookie().join()).toMatch(/next-auth\.session-token=;[^,]*Max-Age=0/);
    expect((await call("/api/v1/about", { headers: { cookie: sessionCookie } })).status).toBe(401);
    expect((await call("/api/auth/_log", { method: "POST", headers: json, body: "{}" })).status).toBe(404);
    expect((await call("/api/auth/signin")).status).toBe(404);
    expect((await call("/api/auth/callback/credentials", { method: "POST", headers: json, body: "{" })).status).toBe(
      400,
    );
  });

  it("2.1: ten failures close the login to one address, through both doors, and to no other", async () => {
    const token = await call("/api/auth/csrf");
    const { csrfToken } = await token.json();
    const viaNextAuth = (typed: string) =>
      call("/api/auth/callback/credentials", {
        method: "POST",
        headers: {
          cookie: token.headers
            .getSetCookie()
            .map((one) => one.split(";")[0])
            .join("; "),
          "x-forwarded-for": "192.0.2.66",
        },
        body: new URLSearchParams({ csrfToken, password: typed, json: "true" }),
      });
    for (let count = 0; count < 5; count += 1) {
      expect((await login("guess", "192.0.2.66")).status).toBe(401);
      const refused = await viaNextAuth("guess");
      expect(refused.headers.getSetCookie().join()).not.toContain("session-token");
      expect((await refused.json()).url).toMatch(/error=CredentialsSignin/);
    }
    expect((await login(password, "192.0.2.66")).status).toBe(429);
    expect((await viaNextAuth(password)).status).toBe(429);
    expect((await login(password, "192.0.2.66", { "x-client-address": "192.0.2.5" })).status).toBe(429);
    expect((await login(password, "192.0.2.67")).status).toBe(200);
  });

  it("E5: keeps password and secret out of the log, and the secret to its own user", async () => {
    const file = path.join(server.dataDir, "session-secret");
    const secret = readFileSync(file, "utf8").trim();
    expect(secret).toMatch(/^[0-9a-f]{64}$/);
    if (process.platform !== "win32") expect(statSync(file).mode & 0o777).toBe(0o600);
    // The log is written in pieces.
    await server.stop();
    const log = JSON.stringify(server.log());
    expect(log).toContain("login failed");
    expect(log).toContain("192.0.2.66");
    for (const hidden of [password, secret, cookie.split("=")[1] ?? password]) expect(log).not.toContain(hidden);
    expect(server.log().filter(({ level }) => level === "error")).toEqual([]);
  });
});

describe("TLS", () => {
  const name = `test-${randomBytes(8).toString("hex")}`;
  const files = { key: `${name}.key`, certificate: `${name}.crt` };
  const inFolder = (file: string) => path.join("customizable/ssl", file);
  let secure: TestServer;
  let port: number;

  beforeAll(async () => {
    const subject = ["-subj", "/CN=localhost", "-days", "1"];
    const out = ["-keyout", inFolder(files.key), "-out", inFolder(files.certificate)];
    execFileSync("openssl", ["req", "-x509", "-newkey", "rsa:2048", "-nodes", ...subject, ...out], { stdio: "pipe" });
    port = await freePort();
    secure = await startServer({
      env: {
        ...basic,
        POLICY_SERVER_PORT_SSL: String(port),
        SSL_CERTIFICATE_FILENAME: files.certificate,
        SSL_PRIVATE_KEY_FILENAME: files.key,
      },
    });
  });
  afterAll(async () => {
    await secure.stop();
    for (const file of Object.values(files)) rmSync(inFolder(file), { force: true });
  });

  interface Answer {
    readonly status: number | undefined;
    readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  }
  function overTls(at: string, { method = "GET", headers = {}, body = "" } = {}): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const options = { port, path: at, method, headers, ca: readFileSync(inFolder(files.certificate)) };
      const sent = httpsRequest({ host: "127.0.0.1", servername: "localhost", ...options }, (response) => {
        response.resume().once("end", () => resolve({ status: response.statusCode, headers: response.headers }));
      });
      sent.once("error", reject).end(body);
    });
  }

  it("0.9: answers over TLS and tells browsers to insist on it, on API, pages and files", async () => {
    for (const at of ["/health", "/api/v1/about", "/login", "/no-such-file.js"]) {
      const { headers } = await overTls(at);
      expect([at, headers["strict-transport-security"]]).toEqual([at, "max-age=31536000"]);
      expect(headers["x-content-type-options"]).toBe("nosniff");
    }
    expect((await overTls("/health")).status).toBe(200);
  });

  it("2.1: gives out a secure cookie that opens pages, and wants the https origin for changes", async () => {
    const body = JSON.stringify({ password });
    const entered = await overTls("/api/v1/login", { method: "POST", headers: json, body });
    const [cookie = ""] = entered.headers["set-cookie"] ?? [];
    expect(cookie).toMatch(/^__Host-next-auth\.session-token=.*; HttpOnly; SameSite=Lax; Secure$/);
    const session = { cookie: cookie.split(";")[0] ?? "" };
    expect((await overTls("/docs", { headers: session })).status).toBe(200);
    const write = async (origin: string) =>
      (
        await overTls("/api/v1/groups/promote", {
          method: "POST",
          headers: { ...json, ...session, origin },
          body: '{"id":[]}',
        })
      ).status;
    expect(await write(`https://127.0.0.1:${port}`)).toBe(200);
    expect(await write(`https://localhost:${port}`)).toBe(200);
    expect(await write(`http://127.0.0.1:${port}`)).toBe(403);
  });

  it("finding B10: the plain port redirects pages, refuses administration and keeps to machines", async () => {
    const ask = (at: string, init: RequestInit = {}) => fetch(secure.origin + at, { redirect: "manual", ...init });
    const page = await ask("/login?redirect=%2Fdocs");
    expect(page.status).toBe(308);
    expect(page.headers.get("location")).toBe(`https://localhost:${port}/login?redirect=%2Fdocs`);
    const body = JSON.stringify({ password });
    // Nobody is believed about TLS without TRUST_PROXY_ADDRESSES.
    const claiming = { ...json, "x-forwarded-proto": "https", "basic-auth-password": password };
    expect((await ask("/api/v1/login", { method: "POST", headers: claiming, body })).status).toBe(403);
    expect((await ask("/api/v1/about", { headers: claiming })).status).toBe(403);
    for (const at of ["/health", "/version"]) expect((await ask(at)).status).toBe(200);
    expect((await ask("/api/v1/production/policy", { method: "POST", headers: json, body: "{}" })).status).toBe(400);
  });

  it("believes no X-Forwarded header without TRUST_PROXY_ADDRESSES", async () => {
    const guess = (address: string) =>
      overTls("/api/v1/login", { method: "POST", headers: { ...json, "x-forwarded-for": address }, body: "{}" });
    for (let count = 0; count < 10; count += 1) expect((await guess(`192.0.2.${count}`)).status).toBe(401);
    expect((await guess("192.0.2.200")).status).toBe(429);
  });
});
