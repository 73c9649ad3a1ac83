import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { shareOf } from "@/test/support/extent";
import { rawHead, sendRaw } from "@/test/support/raw-request";
import { findRoute } from "@/test/support/route-calls";
import { filePathOf, routeIndex } from "@/test/support/route-index";
import { startServer, type TestServer } from "@/test/support/server";
import { requestTable } from "@/test/support/vehicle";

/* The routes are proven in test/api; here, that the built server has all, and what lies in front of them. */

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

const serves = async () => {
  expect((await requestTable(server.origin)).status).toBe(200);
  expect(server.child.exitCode).toBeNull();
};
const failures = () =>
  server.log().filter(({ level, status }) => level === "error" || level === "fatal" || status === 500);

describe.each(["/api/v1", "/api/1"])("section 16 under %s", (prefix) => {
  it.each(routeIndex.map(([method, path]) => [method, path] as const))("%s %s is there", async (method, path) => {
    const response = await fetch(server.origin + prefix + path, {
      method,
      headers: { "content-type": "application/json" },
      ...(method === "GET" ? {} : { body: "[" }),
    });
    // A body that cannot be read says that the route is there, without doing anything.
    const { meta } = await response.json();
    const name = `${method} ${filePathOf(path)}`;
    const expected = method === "GET" ? [200, ...(name.includes("certificate/get") ? [400] : [])] : [400];
    expect(path === "/webhook" ? [401] : expected, meta.message).toContain(response.status);
    expect(meta.code).toBe(response.status);
    expect((await fetch(`${server.origin}${prefix}${path}/`, { method: "PATCH" })).status).toBe(405);
  });

  it.each(["", "/", "/none", "/groups/none", "/Groups", "/webhooks", "/docs", "/applications/RPCENCRYPTION"])(
    "0.1: the unknown path %j is 404 in the envelope",
    async (path) => {
      for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]) {
        const response = await fetch(server.origin + prefix + path, { method });
        expect([method, response.status]).toEqual([method, 404]);
        expect(response.headers.get("content-type")).toBe("application/json; charset=utf-8");
        expect((await response.json()).meta.code).toBe(404);
      }
    },
  );
});

// One that the vehicle worker answers, one with a key of its own, one without a session, one of the console's.
const names = ["production/policy", "webhook", "login", "groups"].map((path) => `POST /api/v1/${path}`);
it.each(names.map(findRoute))("hostile requests: $name: bodies that cannot be read", async (route) => {
  const { port } = server;
  const post = async (body: string | Buffer, type = "application/json", more = "") => {
    const bytes = Buffer.from(body);
    const length = more.includes("chunked") ? "" : `Content-Length: ${bytes.length}\r\n`;
    const head = rawHead(`${route.method} ${route.path}`, `Content-Type: ${type}\r\n${length}${more}`);
    const { status } = await sendRaw(port, Buffer.concat([Buffer.from(head), bytes]), false);
    if (status !== null) expect([route.name, status]).toEqual([route.name, expect.toSatisfy((n) => n < 500)]);
    return status;
  };
  const unread = [route.facts.needs === "webhook" ? 401 : 400];
  const attempts: readonly (readonly [readonly (number | null)[] | null, ...Parameters<typeof post>])[] = [
    [unread, `{"id":${"[".repeat(100_000)}${"]".repeat(100_000)}}`],
    [unread, Buffer.from([0x7b, 0xff, 0xfe, 0x7d])],
    // A server may refuse a body before it has read all of it; then the client sees no answer.
    [[413, 401, null], `{"a":"${"x".repeat(2_000_000)}"}`],
    [null, "{}", "text/html"],
    [null, "{}", "application/json; charset=utf-16"],
    [null, "not gzip", "application/json", "Content-Encoding: gzip\r\n"],
    [null, "{}", "application/json", "Content-Encoding: zstd\r\n"],
    [null, "zz\r\n{}\r\n", "application/json", "Transfer-Encoding: chunked\r\n"],
  ];
  for (const [expected, ...sent] of attempts) {
    if (expected !== null) expect(expected).toContain(await post(...sent));
  }
  await serves();
});

describe("malformed HTTP", () => {
  const long = "a".repeat(15_000);
  const headLines = [
    "GET /%",
    "GET /api/v1/%",
    "GET /api/auth/%",
    "POST /api/v1/production/policy%",
    "POST /api/v1/production/policy?%",
    "GET /api/v1/groups?%",
    "GET /api/v1/groups?id=%ZZ",
    "GET /api/v1/groups?%E0%A4%A",
    "GET /docs?%",
    "GET /login?%",
    "GET /api/v1/groups/%00",
    "GET /..%2f..%2fetc/passwd",
    "GET /api/v1/../../../etc/passwd",
    "GET /_next/static/../../../package.json",
    "GET /_next/static/%2e%2e/%2e%2e/package.json",
    "GET //api/v1/groups",
    "GET //elsewhere.example/api",
    "GET /api/v1//groups",
    "GET /\\elsewhere.example",
    "GET http://elsewhere.example/api/v1/groups",
    `GET /api/v1/groups?${long}`,
    `GET /${long}`,
    `GET /${long}${long}`,
    "GET *",
    "OPTIONS *",
    "TRACE /api/v1/groups",
    "TRACE /",
    "PROPFIND /api/v1/groups",
    "BREW /api/v1/groups",
    "CONNECT /api/v1/groups",
    "GET /_next/image?url=/etc/passwd&w=64&q=75",
    "GET /_next/data/x/index.json",
    "POST /",
  ];
  it.each(headLines)("%s", async (line) => {
    const { status, text } = await sendRaw(server.port, rawHead(line), false);
    expect([line, status ?? 0]).toEqual([line, expect.toSatisfy((code) => code < 500)]);
    expect(text).not.toMatch(/root:|"dependencies"|node_modules|at .*\.js:\d/);
    expect(text).not.toMatch(/^location: *(?:\/\/|\/\\|https?:)/im);
    await serves();
  });

  it.each([
    ["a header without a value", "Cookie\r\n"],
    ["blanks in a name", "Foo bar: x\r\n"],
    ["a huge cookie", `Cookie: ${"a=b; ".repeat(4_000)}\r\n`],
    ["many headers", Array.from({ length: 3_000 }, (_, index) => `X-${index}: y\r\n`).join("")],
    ["a control character", "X-A: a\u0001b\r\n"],
    ["two lengths", "Content-Length: 1\r\nContent-Length: 2\r\n"],
    ["length and chunks", "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n"],
    ["a negative length", "Content-Length: -1\r\n"],
    ["an unknown transfer encoding", "Transfer-Encoding: nonsense\r\n"],
    ["an unknown expectation", "Expect: 200-maybe\r\n"],
    ["an upgrade", "Upgrade: websocket\r\n"],
    ["a folded header", "X-A: a\r\n b\r\n"],
    ["a wrong forwarded host", "X-Forwarded-Host: %%%\r\nX-Forwarded-Proto: javascript\r\n"],
    ["the framework's headers", "RSC: 1\r\nNext-Action: a\r\nx-middleware-prefetch: 1\r\nx-invoke-status: 500\r\n"],
    ["a wrong encoding", "Accept-Encoding: *;q=x, ,;\r\nAccept-Language: \u00ff\r\n"],
  ])("%s", async (_, headers) => {
    for (const line of ["GET /docs", "POST /", "GET /api/v1/groups", "POST /api/v1/groups"]) {
      const { status } = await sendRaw(server.port, rawHead(line, headers), false);
      expect([line, status ?? 0]).toEqual([line, expect.toSatisfy((code) => code < 500)]);
    }
    await serves();
  });

  it("bytes that are no HTTP, and requests cut short", async () => {
    const head =
      "POST /api/v1/groups HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{";
    for (const bytes of [
      "\u0000\u0001\u0002\r\n\r\n",
      "\u0016\u0003\u0001",
      "GET / HTTP/9.9\r\n\r\n",
      "\r\n\r\n",
      head,
    ]) {
      const { status } = await sendRaw(server.port, Buffer.from(bytes, "latin1"));
      expect([bytes, status ?? 0]).toEqual([bytes, expect.toSatisfy((code) => code < 500)]);
    }
    await serves();
  });
});

const unreadable = [
  ["Next-Router-State-Tree", "x"],
  ["Next-Router-State-Tree", "%5B%22%22%2C1%5D"],
  ["Next-Router-Prefetch", "x"],
  ["Next-Router-Segment-Prefetch", "/x"],
  ["Next-Url", "%"],
  ["Next-HMR-Refresh", "1"],
  ["Next-Action", "x"],
] as const;
const requests = ["/about", "/login", "/no-such-page"].flatMap((path) =>
  [{}, { rsc: "1" }].flatMap((rsc) => ["GET", "POST"].map((method) => [path, rsc, method] as const)),
);
it.each(unreadable.map(([name, value], place) => ({ name, value, place })))(
  "finding B13: what the framework cannot read of its own headers: $name: $value is no failure",
  async ({ name, value, place }) => {
    for (const [path, rsc, method] of shareOf(requests, place)) {
      const answer = await fetch(server.origin + path, { method, headers: { [name]: value, ...rsc } });
      expect([method, path, answer.status], await answer.text()).not.toEqual([method, path, 500]);
    }
  },
);

it("0.5: nothing of all this was a failure of the server", async () => {
  await serves();
  expect(failures()).toEqual([]);
});
