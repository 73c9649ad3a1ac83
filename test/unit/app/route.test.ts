import { Readable } from "node:stream";
import { MongoNetworkError, MongoServerSelectionError } from "mongodb";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { DatabaseUnavailable } from "@/lib/platform/db/connection/errors";
import { AppError } from "@/lib/platform/errors";
import { bodyId, queryInteger } from "@/lib/platform/zod/query";
import { FileAnswer, StreamedData } from "@/lib/platform/http/streamed-data";
import { methods, route } from "@/app/_api/api-route";
import { log } from "@/lib/platform/log";
import { type Services, shareServices } from "@/lib/policy/services";
import { aRequest, readAnswer } from "@/test/support/requests";
import { forgetSettings, useSettings } from "@/test/support/settings";

forgetSettings();
beforeEach(() => {
  useSettings();
  vi.spyOn(log, "info").mockReturnValue();
  vi.spyOn(log, "warn").mockReturnValue();
  vi.spyOn(log, "error").mockReturnValue();
});
afterEach(() => vi.restoreAllMocks());

const open = (handle: Parameters<typeof route>[0]["handle"]) => route({ needs: "public", handle });
const failing = (error: unknown) =>
  open(() => {
    throw error;
  });

describe("0.4: envelope", () => {
  it("holds what the handler returns, with a new id each time", async () => {
    const handler = open(() => Promise.resolve(["a"]));
    const first = await readAnswer(await handler(aRequest("/api/v1/x")));
    const second = await readAnswer(await handler(aRequest("/api/v1/x")));
    expect(first).toEqual({ meta: { request_id: expect.any(String), code: 200, message: null }, data: ["a"] });
    expect(second.meta.request_id).not.toBe(first.meta.request_id);
  });

  it("has empty data when there is nothing to return", async () =>
    expect((await readAnswer(await open(() => undefined)(aRequest("/")))).data).toEqual({}));

  it("0.9: carries the security headers, and HSTS only with TLS", async () => {
    const handler = open(() => undefined);
    const plain = await handler(aRequest("/"));
    expect(Object.fromEntries(plain.headers)).toMatchObject({
      "x-content-type-options": "nosniff",
      "x-frame-options": "SAMEORIGIN",
      "x-dns-prefetch-control": "off",
      "referrer-policy": "no-referrer",
    });
    expect(plain.headers.has("strict-transport-security")).toBe(false);
    useSettings({ POLICY_SERVER_PORT_SSL: "443", SSL_CERTIFICATE_FILENAME: "a", SSL_PRIVATE_KEY_FILENAME: "b" });
    expect((await handler(aRequest("/"))).headers.has("strict-transport-security")).toBe(true);
  });

  it("lets the handler add headers", async () => {
    const handler = open(({ responseHeaders }) => responseHeaders.set("Set-Cookie", "a=b"));
    expect((await handler(aRequest("/"))).headers.get("set-cookie")).toBe("a=b");
  });
});

describe("0.5: failures", () => {
  it("keeps status, message, headers and data of an AppError", async () => {
    const response = await failing(
      new AppError("conflict", "Name is taken", { headers: { "X-Hint": "1" }, data: { findings: [1] } }),
    )(aRequest("/"));
    expect(response.status).toBe(409);
    expect(response.headers.get("x-hint")).toBe("1");
    expect(await readAnswer(response)).toMatchObject({ meta: { message: "Name is taken" }, data: { findings: [1] } });
  });

  it.each([
    new Error("ENOENT /etc/secret: password=hush"),
    "a thrown text",
    undefined,
    new TypeError("Cannot read properties of undefined"),
  ])("answers 500 and says nothing of %j", async (error) => {
    const response = await failing(error)(aRequest("/api/v1/x"));
    expect(response.status).toBe(500);
    expect(await readAnswer(response)).toEqual({
      meta: { request_id: expect.any(String), code: 500, message: "Internal server error" },
      data: {},
    });
    expect(log.error).toHaveBeenCalledOnce();
  });

  it.each([
    new DatabaseUnavailable("gone"),
    new MongoNetworkError("connection to db.internal closed"),
    new MongoServerSelectionError("no server", {} as never),
  ])("answers 503 with Retry-After to %o", async (error) => {
    const response = await failing(error)(aRequest("/"));
    expect(response.status).toBe(503);
    expect(response.headers.get("retry-after")).toBe("5");
    expect((await readAnswer(response)).meta.message).toBe("Service unavailable");
  });

  it("finding G5: answers 504 in the envelope before the connection of a slow handler is closed", async () => {
    vi.useFakeTimers();
    try {
      const pieces = Readable.from(["half", "and half"]);
      const handle = async () => {
        const data = await StreamedData.start(pieces);
        await new Promise((done) => setTimeout(done, 70_000));
        return new FileAnswer(data, { type: "text/plain", name: "a" });
      };
      const answered = route({ needs: "public", handle })(aRequest("/api/v1/x", { method: "POST", body: {} }));
      await vi.advanceTimersByTimeAsync(60_000);
      const response = await answered;
      expect(response.status).toBe(504);
      expect((await readAnswer(response)).meta).toMatchObject({
        code: 504,
        message: expect.stringMatching(/too long/),
      });
      // S7: what comes later leaves no file open.
      await vi.advanceTimersByTimeAsync(10_000);
      expect(pieces.destroyed).toBe(true);
    } finally {
      vi.useRealTimers();
    }
  });

  it("answers 400 to a zod error thrown by a handler", async () =>
    expect((await open(() => z.object({ id: z.number() }).parse({}))(aRequest("/"))).status).toBe(400));

  it("9.3: adds the member error where clients read it", async () => {
    const handler = route({
      needs: "public",
      errorMember: true,
      input: { body: z.object({ id: bodyId }) },
      handle: () => null,
    });
    const answer = await readAnswer(await handler(aRequest("/", { body: { id: "x" } })));
    expect(answer.error).toBe("id must be an integer");
    expect(await readAnswer(await handler(aRequest("/", { body: { id: 1 } })))).not.toHaveProperty("error");
  });
});

describe("input", () => {
  it("hands over what the schemas make of params, query and body", async () => {
    const seen = vi.fn();
    const handler = route({
      needs: "public",
      input: {
        params: z.object({ id: z.coerce.number() }),
        query: z.object({ limit: queryInteger() }),
        body: z.object({ name: z.string() }),
      },
      handle: ({ input, writer }) => seen(input, writer),
    });
    const request = aRequest("/api/v1/x/7?limit=3&limit=4&__proto__=x", { body: { name: "a", extra: true } });
    await handler(request, { params: Promise.resolve({ id: "7" }) });
    expect(seen).toHaveBeenCalledWith(
      { params: { id: 7 }, query: { limit: 3 }, body: { name: "a" } },
      {
        actor: "public",
        route: "POST /api/v1/x/7",
        requestId: expect.any(String),
        displayName: null,
        isNameVerified: false,
      },
    );
  });

  it.each([
    ["/?limit=x", { name: "a" }, "limit must be an integer"],
    ["/", {}, "name is required"],
    ["/", "[]", "Body must be a JSON object"],
  ])("answers 400 to %s with %j before the handler runs", async (path, body, message) => {
    const handler = vi.fn();
    const input = { query: z.object({ limit: queryInteger() }), body: z.object({ name: z.string() }) };
    const response = await route({ needs: "public", input, handle: handler })(aRequest(path, { body }));
    expect(response.status).toBe(400);
    expect((await readAnswer(response)).meta.message).toBe(message);
    expect(handler).not.toHaveBeenCalled();
  });

  it("0.2: refuses malformed JSON also where no body is expected", async () =>
    expect((await open(() => null)(aRequest("/", { body: "{" }))).status).toBe(400));
});

describe("0.6: who may call", () => {
  const admin = route({ needs: "read", handle: () => "in" });
  const webhook = route({ needs: "webhook", handle: () => "in" });
  const statusOf = async (handler: typeof admin, headers: Record<string, string>) =>
    (await handler(aRequest("/", { headers }))).status;

  const password = "Käse & Brot";
  const secured = { AUTH_TYPE: "basic", BASIC_AUTH_PASSWORD: password };

  it("reads a password beyond ASCII as UTF-8 and as Latin-1", async () => {
    useSettings(secured);
    expect(await statusOf(admin, { "BASIC-AUTH-PASSWORD": password })).toBe(200);
    const utf8 = Buffer.from(password, "utf8").toString("latin1");
    expect(await statusOf(admin, { "BASIC-AUTH-PASSWORD": utf8 })).toBe(200);
  });

  it("asks the directory for its public key, and lets nobody in without one configured", async () => {
    expect(await statusOf(webhook, { public_key: "" })).toBe(401);
    expect(await statusOf(webhook, { public_key: "null" })).toBe(401);
    useSettings({ ...secured, SHAID_PUBLIC_KEY: "key-1", SHAID_SECRET_KEY: "s" });
    expect(await statusOf(webhook, { public_key: "key-1" })).toBe(200);
    expect(await statusOf(webhook, { public_key: "key-2" })).toBe(401);
    expect(await statusOf(webhook, {})).toBe(401);
    expect(await statusOf(webhook, { "basic-auth-password": password })).toBe(401);
    expect(await statusOf(admin, { public_key: "key-1" })).toBe(401);
  });
});

describe("0.9: start-up gate", () => {
  const share = (services: unknown) => shareServices(services as Services | null);
  afterEach(() => {
    share(null);
  });

  it("answers 503 until a policy is compiled, except where nothing depends on it", async () => {
    share({ runtime: { status: () => ({ state: "starting" }) } });
    const handler = open(() => "x");
    const response = await handler(aRequest("/"));
    expect([response.status, response.headers.get("retry-after")]).toEqual([503, "5"]);
    expect((await route({ needs: "public", beforeReady: true, handle: () => "x" })(aRequest("/"))).status).toBe(200);
    share({ runtime: { status: () => ({ state: "degraded" }) } });
    expect((await handler(aRequest("/"))).status).toBe(200);
  });
});

it("0.9: writes one log line for each request, without query, headers and body", async () => {
  const handler = open(() => null);
  const headers = { "BASIC-AUTH-PASSWORD": "hush" };
  const response = await handler(aRequest("/api/v1/x?token=hush", { headers, body: { password: "hush" } }));
  const { meta } = await readAnswer(response);
  expect(log.info).toHaveBeenCalledExactlyOnceWith(
    {
      request_id: meta.request_id,
      address: "unknown",
      caller: null,
      ...{ method: "POST", path: "/api/v1/x", status: 200, ms: expect.any(Number) },
    },
    "request",
  );
});

describe("0.1: methods of a path", () => {
  const path = methods({
    GET: open(() => "x"),
    POST: open(() => "y"),
  });

  it("answers HEAD like GET, without a body", async () => {
    const response = await path.HEAD(aRequest("/", { method: "HEAD" }));
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("application/json; charset=utf-8");
    expect(await response.text()).toBe("");
  });
});

const POST = failing(new AppError("invalid"));

it("0.7: CORS: answers preflights of a path that allows them, and opens its failures too", async () => {
  const path = methods({ GET: open(() => "x"), POST }, { cors: "preflight" });
  const asked = { "Access-Control-Request-Headers": "content-type, x-a" };
  const headers = { ...asked, "Access-Control-Request-Private-Network": "true" };
  const preflight = await path.OPTIONS(aRequest("/", { method: "OPTIONS", headers }));
  expect(preflight.status).toBe(204);
  expect(preflight.headers.get("access-control-allow-origin")).toBe("*");
  expect(preflight.headers.get("access-control-allow-methods")).toContain("POST");
  expect(preflight.headers.get("access-control-allow-headers")).toBe("content-type, x-a");
  expect(preflight.headers.get("access-control-allow-private-network")).toBe("true");
  expect(preflight.headers.get("vary")).toBe("Access-Control-Request-Headers");
  for (const method of ["GET", "POST", "PUT"] as const) {
    const answer = await path[method](aRequest("/", { method }));
    expect(answer.ok).toBe(method === "GET");
    expect(answer.headers.get("access-control-allow-origin")).toBe("*");
  }
});
