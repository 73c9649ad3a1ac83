import { beforeEach, describe, expect, it, vi } from "vitest";
import * as health from "@/app/health/route";
import { sessionCookieName } from "@/lib/platform/auth/session-cookie";
import { buildSessionClaims, encodeSession } from "@/lib/platform/auth/session-token";
import { noteCaller } from "@/lib/platform/http/headers/caller";
import { vehicleWorkerPeerHeader } from "@/lib/platform/http/headers/worker-peer";
import type { ConsoleOptions } from "@/server/console-server";
import { log } from "@/lib/platform/log";
import { startConsoleServer } from "@/test/support/console-server";
import { aRequest } from "@/test/support/requests";
import { forgetSettings, useSettings as putSettings } from "@/test/support/settings";

const secured = { AUTH_TYPE: "basic", BASIC_AUTH_PASSWORD: "open sesame", SESSION_SECRET: "s".repeat(32) };
const handler = vi.fn<ConsoleOptions["handler"]>();
const observe = vi.fn<NonNullable<ConsoleOptions["observe"]>>();

forgetSettings();
beforeEach(() => {
  handler.mockReset().mockImplementation((_request, response) => {
    response.writeHead(200).end("a page");
    return Promise.resolve();
  });
  observe.mockReset();
});

type Served = Awaited<ReturnType<typeof startConsoleServer>>;
let server: Served["server"];
let get: Served["get"];

async function serve(env: Readonly<Record<string, string>>, options: Partial<ConsoleOptions> = {}): Promise<void> {
  putSettings(env);
  ({ server, get } = await startConsoleServer({ handler, observe, ...options }));
}

const signedIn = async () => ({ cookie: `${sessionCookieName(false)}=${await encodeSession(buildSessionClaims())}` });
const asPerson = { accept: "text/html,application/xhtml+xml" };

describe("N3: behind vehicle workers", () => {
  it("the framework learns from the vehicle worker who asks, and nothing of the vehicle worker", async () => {
    await serve({});
    await get("/about", { [vehicleWorkerPeerHeader]: "198.51.100.7 https", "x-client-address": "203.0.113.1" });
    const headers = handler.mock.calls[0]?.[0].headers;
    expect(headers).toMatchObject({ "x-client-address": "198.51.100.7", "x-forwarded-proto": "https" });
    expect(headers).not.toHaveProperty(vehicleWorkerPeerHeader);
  });

  it("N3a: every answer says how long ago a known caller came, through whichever vehicle worker", async () => {
    handler.mockImplementation((request, response) => {
      if (request.url === "/about") noteCaller(true);
      response.end();
      return Promise.resolve();
    });
    await serve({});
    expect((await get("/docs")).headers).not.toHaveProperty("x-known-ago");
    expect((await get("/about")).headers).toMatchObject({ "x-caller": "known" });
    expect(Number((await get("/docs")).headers["x-known-ago"])).toBeGreaterThanOrEqual(0);
  });

  it("finding G5: nothing here ends a request that takes long, nor a connection that a vehicle worker keeps", async () => {
    await serve({});
    // Of Node's own deadlines only those for what a vehicle worker still sends.
    expect([server.timeout, server.keepAliveTimeout]).toEqual([0, 150_000]);
  });

  it("requests wait for the framework, and one that could not be prepared is an answer too", async () => {
    let give: (error?: Error) => void = () => undefined;
    const logged = vi.spyOn(log, "error").mockImplementation(() => undefined);
    const prepared = new Promise<void>((resolve, reject) => {
      give = (error) => (error ? reject(error) : resolve());
    });
    await serve({}, { prepared });
    const waiting = get("/about");
    expect((await get("/none")).status).toBe(404);
    expect(handler).not.toHaveBeenCalled();
    give(new Error("no build"));
    expect((await waiting).status).toBe(500);
    expect(logged).toHaveBeenCalledOnce();
    logged.mockRestore();
  });

  it("finding B2: a request that offers an upgrade is answered, and its connection ends", async () => {
    await serve({});
    const answer = await get("/about", { connection: "upgrade", upgrade: "h2c" });
    expect([answer.status, answer.headers.connection]).toEqual([200, "close"]);
  });
});

describe("N10: what is not there is answered without the framework", () => {
  it.each(["GET", "POST", "PUT", "DELETE", "OPTIONS"])("%s of a path of machines: the envelope", async (method) => {
    await serve(secured);
    for (const target of ["/api/v1/none?a=b", "/api/none", "/webhooks", "/health/more"]) {
      const { status, headers, body } = await get(target, asPerson, method);
      expect([target, status, headers["content-type"]]).toEqual([target, 404, "application/json; charset=utf-8"]);
      expect(headers).toMatchObject({
        "cache-control": "no-store",
        "x-content-type-options": "nosniff",
        "cross-origin-resource-policy": "same-origin",
      });
      expect(JSON.parse(body)).toEqual({
        meta: { request_id: expect.stringMatching(/^[\da-f-]{36}$/), code: 404, message: "Not found" },
        data: {},
      });
    }
    expect((await get("/api/v1/none", {}, "HEAD")).body).toBe("");
    expect(handler).not.toHaveBeenCalled();
  });

  it("strangers and machines get a sentence, whatever cookie they make up", async () => {
    await serve(secured);
    const made = { cookie: `${sessionCookieName(false)}=made-up` };
    for (const headers of [asPerson, { ...asPerson, ...made }, {}, await signedIn()]) {
      const answer = await get("/wp-login.php", headers);
      expect(answer.status).toBe(404);
      expect(answer.headers["content-security-policy"]).toMatch(/^default-src 'none'/);
      expect(answer.headers["content-type"]).toBe(
        "accept" in headers ? "text/html; charset=utf-8" : "text/plain; charset=utf-8",
      );
    }
    expect(handler).not.toHaveBeenCalled();
  });

  it("whoever is signed in gets the console's own page, also on the way between pages", async () => {
    await serve(secured);
    const cookie = await signedIn();
    expect((await get("/nothing-here", { ...asPerson, ...cookie })).body).toBe("a page");
    expect((await get("/nothing-here?_rsc=1", { rsc: "1", ...cookie })).body).toBe("a page");
    expect((await get("/nothing-here", { ...asPerson, ...cookie }, "POST")).status).toBe(404);
  });

  it("where no password is asked for, everybody does who takes a page and uses a name of ours", async () => {
    await serve({});
    expect((await get("/nothing-here", { ...asPerson, host: "localhost:3000" })).body).toBe("a page");
    expect((await get("/nothing-here", { ...asPerson, host: "evil.example" })).status).toBe(404);
    expect((await get("/nothing-here", { host: "localhost:3000" })).status).toBe(404);
  });

  it.each(["/_next/static/chunks/none.js", "/images/none.png", "/favicon.ico", "/robots.txt", "/_next/none"])(
    "nobody gets a page at %s",
    async (target) => {
      await serve(secured);
      expect((await get(target, { ...asPerson, ...(await signedIn()) })).status).toBe(404);
      expect(handler).not.toHaveBeenCalled();
    },
  );

  it("files are the framework's, as a whole; other methods than theirs are not", async () => {
    await serve(secured);
    const file = "/images/lock-screen.png";
    await get(file, { range: "bytes=999999-", "if-match": '"x"', "if-none-match": '"y"' });
    const headers = handler.mock.calls[0]?.[0].headers;
    expect(headers).toMatchObject({ "if-none-match": '"y"' });
    expect(headers).not.toHaveProperty("range");
    expect(headers).not.toHaveProperty("if-match");
    const refused = await get(file, {}, "DELETE");
    expect([refused.status, refused.headers.allow]).toEqual([405, "GET, HEAD"]);
    expect(handler).toHaveBeenCalledOnce();
  });

  it("in development, where paths come and go, the framework is asked", async () => {
    await serve(secured, { paths: null });
    expect((await get("/nothing-here")).body).toBe("a page");
  });
});

it("N4: health is answered as the route does it, whatever the framework is doing", async () => {
  await serve(secured, { prepared: new Promise(() => undefined) });
  const { status, headers, body } = await get("/health");
  expect([status, body]).toEqual([200, "OK"]);
  const route = await health.GET(aRequest("/health"));
  for (const [name, value] of route.headers) expect([name, headers[name]]).toEqual([name, value]);
  expect([(await get("/health", {}, "HEAD")).status, (await get("/health", {}, "HEAD")).body]).toEqual([200, ""]);
});

it("N4: pages are rendered four at a time, in their order, and everything else beside them", async () => {
  const under = { pages: 0, max: 0 };
  const ends: (() => void)[] = [];
  handler.mockImplementation(async ({ url = "" }, response) => {
    if (url.startsWith("/applications/")) {
      under.max = Math.max(under.max, ++under.pages);
      await new Promise<void>((resolve) => ends.push(resolve));
      under.pages -= 1;
    }
    response.writeHead(200).end(url);
  });
  await serve({});
  const asked = Array.from({ length: 20 }, (_, at) => get(`/applications/${at}`));
  await expect.poll(() => ends).toHaveLength(4);
  expect((await get("/api/v1/groups")).body).toBe("/api/v1/groups");
  for (let ended = 0; ended < 20; ended++) {
    await expect.poll(() => ends.length).toBeGreaterThan(ended);
    ends[ended]?.();
  }
  expect((await Promise.all(asked)).map(({ status }) => status)).toEqual(asked.map(() => 200));
  expect(under.max).toBe(4);
});

it("N6: every answer is told once, with its kind", async () => {
  await serve(secured);
  for (const target of ["/about", "/api/v1/groups", "/health", "/none"]) await get(target);
  await expect.poll(() => observe).toHaveBeenCalledTimes(4);
  expect(observe.mock.calls.map(([{ kind, status }]) => [kind, status])).toEqual([
    ["page", 200],
    ["api", 200],
    ["machine", 200],
    ["unknown", 404],
  ]);
});
