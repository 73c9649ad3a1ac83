import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import { describe, expect, it, vi } from "vitest";
import { accessLog } from "@/lib/platform/log";
import { refuseUnusable } from "@/server/refusals/refuse-unusable";

vi.spyOn(accessLog, "info").mockReturnValue();

function send(method: string, url: string, headers: Record<string, string> = {}) {
  const request = new IncomingMessage(new Socket());
  Object.assign(request, { method, url, headers: { ...headers } });
  const response = new ServerResponse(request);
  let text: unknown;
  vi.spyOn(response, "end").mockImplementation((chunk: unknown) => {
    text = chunk;
    return response;
  });
  const isAnswered = refuseUnusable(request, response);
  const body = typeof text === "string" ? JSON.parse(text) : null;
  return { isAnswered, status: isAnswered ? response.statusCode : null, body, request, response };
}

describe("0.1, 0.4: what the framework would answer by itself", () => {
  it.each([
    ["GET", "/%", 400],
    ["GET", "/api/v1/%E0%A4%A", 400],
    ["GET", "*", 400],
    ["OPTIONS", "*", 400],
    ["GET", "", 400],
    ["TRACE", "/api/v1/groups", 405],
    ["PROPFIND", "/", 405],
    ["GET", "//api/v1/groups", 404],
    ["GET", "/api//v1/groups", 404],
    ["GET", "/api/v1/groups//", 404],
    ["POST", "/api/v1\\groups", 404],
  ])("%s %s is %i in the envelope", (method, url, status) => {
    const { isAnswered, body, response, ...sent } = send(method, url);
    expect([isAnswered, sent.status]).toEqual([true, status]);
    expect(body).toEqual({
      meta: { request_id: expect.stringMatching(/^[0-9a-f-]{36}$/), code: status, message: expect.any(String) },
      data: {},
    });
    expect(response.getHeader("content-type")).toBe("application/json; charset=utf-8");
    expect(response.getHeader("allow")).toBe(status === 405 ? "GET, HEAD, POST, PUT, OPTIONS" : undefined);
  });

  it("a HEAD gets no body", () => expect(send("HEAD", "/%")).toMatchObject({ status: 400, body: null }));

  it.each(["/", "/docs", "/api/v1/groups?%", "/api/v1/groups?a=//b", "/api/v1/groups/", "/a%20b", "/_next//x.js"])(
    "%s goes on",
    (url) => {
      const { isAnswered, request } = send("GET", url);
      expect([isAnswered, request.url]).toEqual([false, url]);
    },
  );

  it("a target in absolute form is the path in it", () => {
    const { isAnswered, request } = send("GET", "http://elsewhere.example:80/api/v1/groups?id=1");
    expect([isAnswered, request.url]).toEqual([false, "/api/v1/groups?id=1"]);
  });
});

describe("headers that the framework takes for its own", () => {
  const hostile = { rsc: "1", "next-action": "a", "x-middleware-prefetch": "1", "x-matched-path": "/x", accept: "a" };
  it("are taken out of requests of the API", () =>
    expect(send("GET", "/api/v1/groups", hostile).request.headers).toEqual({ accept: "a" }));
  it("are left to pages as far as browsers send them", () => {
    const { headers } = send("GET", "/docs", hostile).request;
    expect(headers).toEqual({ rsc: "1", accept: "a" });
  });
});

describe("finding B13: what pages say of the framework's state", () => {
  const state = (value: unknown) => encodeURIComponent(JSON.stringify(value));
  const left = (value: string, url = "/about") =>
    send("GET", url, { "next-router-state-tree": value, rsc: "1" }).request.headers["next-router-state-tree"];
  const page = ["", { children: ["about", { children: ["__PAGE__", {}, null, "refetch"] }] }, null, null, 16, "x"];
  const dynamic = ["", { children: [["id", "3", "d", null], { children: ["__PAGE__?{}", {}] }] }];

  it.each([[page], [dynamic], [["", {}]]])("keeps what can be read: %j", (value) => {
    expect(left(state(value))).toBe(state(value));
    expect(left(state(value), "/api/v1/about")).toBeUndefined();
  });

  it.each(["x", "", "%", "{}", "[]", "[1,{}]", '["",{"a":1}]', state(["", {}, 1]), `["${"x".repeat(40_000)}",{}]`])(
    "takes out what the framework would answer 500 to: %#",
    (value) => expect(left(value)).toBeUndefined(),
  );

  it("takes out one that came twice", () => {
    const both = { "next-router-state-tree": [state(page), state(page)] } as unknown as Record<string, string>;
    expect(send("GET", "/about", both).request.headers).toEqual({});
  });
});

it.each([
  ["1048577", 413],
  ["1048576", null],
])("finding B2: a body that its sender announces and holds back: of %s bytes: %j", (length, status) => {
  expect(send("POST", "/api/v1/groups", { expect: "100-continue", "content-length": length }).status).toBe(status);
});
