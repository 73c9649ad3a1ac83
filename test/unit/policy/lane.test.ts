import { spawn, spawnSync } from "node:child_process";
import { connect } from "node:net";
import { gunzipSync } from "node:zlib";
import { beforeAll, describe, expect, it } from "vitest";
import type { CompiledPolicy } from "@/lib/policy/compiled-policy";
import { policyRouteOf } from "@/lib/policy/lane";
import { environments, type Environment } from "@/lib/policy/vocabulary";
import { answerText, compiled, requestId, shortenedTable } from "@/test/support/answers";
import { jsonOf, send, startLane, type HttpAnswer } from "@/test/support/lane-server";
import { workedExample, workedRequest } from "@/test/support/worked-example";

const body = JSON.stringify(workedRequest);
const anyUuid = expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
const route = "/api/v1/production/policy";
/** Ends a hang, judges nothing. */
const patience = { timeout: 120_000, interval: 5 };
let policies: Record<Environment, CompiledPolicy>;

beforeAll(async () => {
  policies = {
    staging: await compiled(workedExample, "staging"),
    production: await compiled(workedExample, "production"),
  };
});

const serving = (options: Parameters<typeof startLane>[0] = {}) =>
  startLane({ policy: (environment) => policies[environment], ...options });

/** The bytes that an answer must have, given the request id that it carries. */
function expectedText(environment: Environment, answered: string): string {
  return answerText(policies[environment], workedRequest.policy_table).replace(
    requestId,
    JSON.parse(answered).meta.request_id,
  );
}

function expectError(answer: HttpAnswer, status: number, message: string): void {
  expect(answer.status).toBe(status);
  expect(jsonOf(answer)).toEqual({
    error: message,
    meta: { request_id: anyUuid, code: status, message },
    data: {},
  });
  expect(answer.headers["access-control-allow-origin"]).toBe("*");
  expect(answer.headers["content-type"]).toBe("application/json; charset=utf-8");
}

describe("paths (api 0.1)", () => {
  const paths = environments.flatMap((environment) =>
    ["v1", "1"].flatMap((version) =>
      ["", "/", "?x=1", "/?x=/api"].map((end) => [`/api/${version}/${environment}/policy${end}`, environment] as const),
    ),
  );

  it.each(paths)("%s is the %s route", async (path, environment) => {
    expect(policyRouteOf(path)).toBe(environment);
    const { url } = await serving();
    const answer = await send(url + path, { body });
    expect(answer.status).toBe(200);
    expect(answer.body.toString()).toBe(expectedText(environment, answer.body.toString()));
  });

  it.each([
    "/api/v1/staging",
    "/api/v1/Staging/policy",
    "/api/v2/staging/policy",
    "/api/v1/staging/policy//",
    "/x/api/v1/staging/policy",
    "/api/v1/policy/preview",
    "",
  ])("%j is another route", (path) => {
    expect(policyRouteOf(path)).toBeNull();
  });
});

it("every answer has the server's headers and a request id of its own (api 0.4)", async () => {
  const { url, events } = await serving({
    headers: { "X-Frame-Options": "SAMEORIGIN", "Referrer-Policy": "no-referrer" },
  });
  const ids = new Set<string>();
  for (const sent of [{ body }, { body }, { body: "{}" }, { method: "GET" }, { method: "OPTIONS" }]) {
    const answer = await send(url + route, sent);
    expect(answer.headers).toMatchObject({ "x-frame-options": "SAMEORIGIN", "referrer-policy": "no-referrer" });
    if (sent.method !== "OPTIONS") {
      expect(jsonOf(answer).meta.request_id).toEqual(anyUuid);
      ids.add(jsonOf(answer).meta.request_id);
    }
  }
  expect(ids.size).toBe(4);
  expect(events.map(({ method, status }) => `${method} ${status}`)).toEqual([
    "POST 200",
    "POST 200",
    "POST 400",
    "GET 405",
    "OPTIONS 204",
  ]);
  expect(events.slice(0, 4).map((event) => event.requestId)).toEqual([...ids]);
});

describe("content encoding", () => {
  it("gzip holds the very bytes of the plain answer, for other readers too", async () => {
    const { url, events } = await serving();
    const answer = await send(url + route, { body, headers: { "Accept-Encoding": "gzip" } });
    expect(answer.headers["content-encoding"]).toBe("gzip");
    expect(answer.headers["content-length"]).toBe(String(answer.body.length));
    const text = gunzipSync(answer.body).toString();
    expect(text).toBe(expectedText("production", text));
    expect(answer.body.length).toBeLessThan(text.length);
    const { status, stdout } = spawnSync("gzip", ["-dc"], { input: answer.body });
    expect(status).toBe(0);
    expect(stdout.toString()).toBe(text);
    expect(events[0]).toMatchObject({ environment: "production", status: 200, bytes: answer.body.length, cause: null });
  });

  const hasCurl = spawnSync("curl", ["--version"]).status === 0;
  it.skipIf(!hasCurl)("curl --compressed reads it", async () => {
    const { url } = await serving();
    const child = spawn("curl", ["-sSi", "--compressed", "--data-binary", body, url + route]);
    const [head = "", text = ""] = Buffer.concat(await child.stdout.toArray())
      .toString()
      .split("\r\n\r\n");
    expect(head).toMatch(/^HTTP\/1\.1 200 [^]*content-encoding: gzip/i);
    expect(text).toBe(expectedText("production", text));
  });

  it.each(["gzip", "GZIP", "gzip, deflate, br", "br;q=0.5, gzip;q=0.4", "*", "identity;q=0.5, gzip;q=0.8", "*;q=0.2"])(
    "%s is answered with gzip",
    async (accepted) => {
      const { url } = await serving();
      const answer = await send(url + route, { body, headers: { "Accept-Encoding": accepted } });
      expect(answer.headers["content-encoding"]).toBe("gzip");
      expect(JSON.parse(gunzipSync(answer.body).toString()).meta.code).toBe(200);
    },
  );

  it.each([
    undefined,
    "",
    "identity",
    "gzip;q=0",
    "br, deflate",
    "gzip;q=0, *;q=0.5",
    "*;q=0",
    "gzipped",
    "gzip;q=0.1, identity",
  ])("%j is answered as it is", async (accepted) => {
    const { url } = await serving();
    const headers = accepted === undefined ? {} : { "Accept-Encoding": accepted };
    const answer = await send(url + route, { body, headers });
    expect(answer.headers).not.toHaveProperty("content-encoding");
    expect(answer.headers["content-length"]).toBe(String(answer.body.length));
    expect(answer.body.toString()).toBe(expectedText("production", answer.body.toString()));
  });

  it("the same header is understood the same way again", async () => {
    const { url } = await serving();
    for (const accepted of ["gzip;q=0", "gzip", "gzip;q=0", "gzip"]) {
      const answer = await send(url + route, { body, headers: { "Accept-Encoding": accepted } });
      expect(answer.headers["content-encoding"]).toBe(accepted === "gzip" ? "gzip" : undefined);
    }
  });

  it("Vary names Accept-Encoding on every answer, compressed or not", async () => {
    const { url } = await serving();
    for (const headers of [{}, { "Accept-Encoding": "gzip" }]) {
      for (const sent of [body, "{}"]) {
        expect((await send(url + route, { body: sent, headers })).headers.vary).toBe("Accept-Encoding");
      }
    }
  });
});

describe("CORS (api 0.7)", () => {
  it("every answer allows every origin, errors included", async () => {
    const { url } = await serving();
    for (const sent of [{ body }, { body: "no json" }, { method: "DELETE" }, { method: "GET" }]) {
      const { headers } = await send(url + route, { ...sent, headers: { Origin: "https://car.example.com" } });
      expect(headers["access-control-allow-origin"]).toBe("*");
    }
  });

  it("a preflight echoes the requested headers", async () => {
    const { url } = await serving();
    const answer = await send(url + route, {
      method: "OPTIONS",
      headers: {
        Origin: "https://car.example.com",
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "content-type, x-vehicle",
      },
    });
    expect(answer.status).toBe(204);
    expect(answer.body).toHaveLength(0);
    expect(answer.headers).toMatchObject({
      "access-control-allow-origin": "*",
      "access-control-allow-methods": "POST",
      "access-control-allow-headers": "content-type, x-vehicle",
      vary: "Access-Control-Request-Headers",
    });
  });

  it("a preflight without requested headers names none, and needs no policy", async () => {
    const { url } = await startLane();
    const answer = await send(url + route, { method: "OPTIONS" });
    expect(answer.status).toBe(204);
    expect(answer.headers).not.toHaveProperty("access-control-allow-headers");
    expect(answer.headers["access-control-allow-methods"]).toBe("POST");
  });
});

describe("405", () => {
  it.each(["GET", "PUT", "PATCH", "DELETE"])("%s is not allowed", async (method) => {
    const { url } = await serving();
    const answer = await send(url + route, { method, ...(method === "PUT" ? { body } : {}) });
    expectError(answer, 405, "Method not allowed");
    expect(answer.headers.allow).toBe("POST, OPTIONS");
  });

  it("HEAD is answered without a body", async () => {
    const { url } = await serving();
    const answer = await send(url + route, { method: "HEAD" });
    expect(answer.status).toBe(405);
    expect(answer.headers.allow).toBe("POST, OPTIONS");
    expect(answer.body).toHaveLength(0);
  });
});

describe("413 (api 0.2)", () => {
  const padded = (length: number) => {
    const text = JSON.stringify({ ...workedRequest, padding: "" });
    return text.replace('"padding":""', `"padding":"${"x".repeat(length - text.length)}"`);
  };
  const largest = 1_048_576;

  it("takes a body of 1 MiB", async () => {
    const { url } = await serving();
    const answer = await send(url + route, { body: padded(largest) });
    expect(answer.status).toBe(200);
    const chunked = await send(url + route, { body: padded(largest), headers: { "Transfer-Encoding": "chunked" } });
    expect(chunked.status).toBe(200);
  });

  it.each([largest + 1, 8 * largest])("refuses %d bytes by content-length", async (length) => {
    const { url } = await serving();
    const answer = await send(url + route, { body: padded(length) });
    expectError(answer, 413, "Payload too large");
    expect(answer.headers.connection).toBe("close");
  });

  it.each([largest + 1, 8 * largest])("refuses %d bytes in chunks, once", async (length) => {
    const { url, events } = await serving();
    const answer = await send(url + route, { body: padded(length), headers: { "Transfer-Encoding": "chunked" } });
    expectError(answer, 413, "Payload too large");
    expect(events.map(({ status }) => status)).toEqual([413]);
  });

  it("answers before the body has come, when its length says enough", async () => {
    const { port } = await serving();
    const socket = connect(port, "127.0.0.1");
    socket.write(`POST ${route} HTTP/1.1\r\nHost: a\r\nContent-Length: ${largest + 1}\r\n\r\n`);
    const [first] = (await socket.take(1).toArray()) as Buffer[];
    expect(first?.toString()).toMatch(/^HTTP\/1\.1 413 /);
  });

  it("serves the next vehicle as before", async () => {
    const { url } = await serving({ mostAtOnce: 1 });
    for (const headers of [{}, { "Transfer-Encoding": "chunked" }]) {
      expect((await send(url + route, { body: padded(3 * largest), headers })).status).toBe(413);
      await expect.poll(async () => (await send(url + route, { body })).status, patience).toBe(200);
    }
  });
});

describe("400", () => {
  const sentence = async (sent: string | Buffer) => {
    const { url } = await serving();
    const answer = await send(url + route, { body: sent, headers: { "Accept-Encoding": "gzip" } });
    expect(answer.headers).not.toHaveProperty("content-encoding");
    expectError(answer, 400, jsonOf(answer).error);
    return jsonOf(answer).error;
  };

  it("R1: names the first missing member, in order", async () => {
    const members: readonly string[] = Object.keys(shortenedTable({}));
    expect(await sentence("{}")).toBe("policy_table is missing");
    expect(await sentence("")).toBe("policy_table is missing");
    for (const [position, name] of members.entries()) {
      const table = Object.fromEntries(members.slice(0, position).map((member) => [member, {}]));
      expect(await sentence(JSON.stringify({ policy_table: table }))).toBe(`policy_table.${name} is missing`);
    }
  });

  it.each(["{", "nonsense", '{"a":1}}', "\ufeff{}", " "])("%j is malformed", async (text) => {
    expect(await sentence(text)).toBe("Malformed JSON body");
  });

  it.each(["[]", '[{"policy_table":{}}]', "null", "5", '"text"', "true"])("%s is no object", async (text) => {
    expect(await sentence(text)).toBe("Body must be a JSON object");
  });

  it("bytes that are no UTF-8 are refused, not mended", async () => {
    const bytes = Buffer.concat([Buffer.from('{"policy_table":"'), Buffer.from([0xc3, 0x28]), Buffer.from('"}')]);
    expect(await sentence(bytes)).toBe("Body is not valid UTF-8");
  });

  it.each(["[", '{"a":'])("100,000 times %s inside each other exhausts nothing", async (open) => {
    const close = open === "[" ? "]" : "}";
    const deep = `${open.repeat(100_000)}1${close.repeat(100_000)}`;
    expect(await sentence(`{"policy_table":${deep}}`)).toBe("Body is nested deeper than 64 levels");
    expect(await sentence(`{"x":${open.repeat(100_000)}`)).toBe("Malformed JSON body");
  });

  it("nesting as deep as a table needs, and more, is taken", async () => {
    const { url } = await serving();
    const device_data = JSON.parse(`${'{"a":'.repeat(61)}{}${"}".repeat(61)}`);
    const deepest = { policy_table: { ...shortenedTable({}), device_data } };
    expect((await send(url + route, { body: JSON.stringify(deepest) })).status).toBe(200);
    const deeper = { policy_table: { ...shortenedTable({}), device_data: { a: device_data } } };
    expect(await sentence(JSON.stringify(deeper))).toBe("Body is nested deeper than 64 levels");
  });

  it("R3: 1,001 app ids are too many, 1,000 are not", async () => {
    const asking = (count: number) => {
      const apps = Object.fromEntries(Array.from({ length: count }, (_, index) => [`app-${index}`, {}]));
      return JSON.stringify({ policy_table: shortenedTable(apps) });
    };
    const { url } = await serving();
    expect((await send(url + route, { body: asking(1_000) })).status).toBe(200);
    expect(await sentence(asking(1_001))).toBe("policy_table.app_policies holds more than 1000 app ids");
  });

  it("an inherited policy_table was not sent", async () => {
    expect(await sentence(JSON.stringify({ ["__proto__"]: 1 }))).toBe("policy_table is missing");
    expect(await sentence('{"__proto__":{"policy_table":{}}}')).toBe("policy_table is missing");
  });
});

describe("503", () => {
  it("while there is no policy, with Retry-After 5", async () => {
    const { url } = await startLane();
    const answer = await send(url + route, { body });
    expectError(answer, 503, "Service unavailable");
    expect(answer.headers["retry-after"]).toBe("5");
  });

  it("G2: for the environment that has none, while the other answers", async () => {
    const { url } = await startLane({ policy: (name) => (name === "staging" ? policies.staging : null) });
    expect((await send(`${url}/api/v1/staging/policy`, { body })).status).toBe(200);
    expect((await send(`${url}/api/v1/production/policy`, { body })).status).toBe(503);
  });

  it("as soon as mostAtOnce requests are under way, until one of them ends", async () => {
    const { url, port } = await serving({ mostAtOnce: 2 });
    const waiting = await Promise.all(
      [1, 2].map(async () => {
        const socket = connect(port, "127.0.0.1");
        await new Promise<void>((resolve) => socket.once("connect", resolve));
        socket.write(
          `POST ${route} HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: ${body.length}\r\n\r\n{`,
        );
        return socket;
      }),
    );
    await expect.poll(async () => (await send(url + route, { body })).status, patience).toBe(503);
    const answer = await send(url + route, { body });
    expectError(answer, 503, "Service unavailable");
    expect(answer.headers["retry-after"]).toBe("1");
    waiting[0]?.end(body.slice(1));
    expect(Buffer.concat((await waiting[0]?.toArray()) ?? []).toString()).toMatch(/^HTTP\/1\.1 200 /);
    await expect.poll(async () => (await send(url + route, { body })).status, patience).toBe(200);
    // A vehicle that goes away without finishing frees its place as well.
    waiting[1]?.destroy();
    const { status } = await send(url + route, { body });
    expect(status).toBe(200);
  });

  it("places are freed by vehicles that break off", async () => {
    const { url, port } = await serving({ mostAtOnce: 1 });
    for (let round = 0; round < 5; round++) {
      const socket = connect(port, "127.0.0.1");
      socket.write(`POST ${route} HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n{`);
      await expect.poll(async () => (await send(url + route, { body })).status, patience).toBe(503);
      socket.resetAndDestroy();
      await expect.poll(async () => (await send(url + route, { body })).status, patience).toBe(200);
    }
  });
});

it("R7: 500 tells nothing but that; the cause goes to the observer", async () => {
  const cause = new Error("secret of the hook");
  const { url, events } = await serving({ hooks: { encryptPolicyTable: () => Promise.reject(cause) } });
  expectError(await send(url + route, { body }), 500, "Internal server error");
  expect(events[0]).toMatchObject({ status: 500, cause });
});

it("many requests on one connection are answered in order", async () => {
  const { port } = await serving();
  const socket = connect(port, "127.0.0.1");
  const head = (path: string, more = "") =>
    `POST ${path} HTTP/1.1\r\nHost: a\r\n${more}Content-Length: ${body.length}\r\n\r\n`;
  const [staging, production] = environments.map((environment) => `/api/v1/${environment}/policy`);
  socket.write(
    head(staging ?? "") + body + head(production ?? "") + body + head(staging ?? "", "Connection: close\r\n") + body,
  );
  const text = Buffer.concat((await socket.toArray()) as Buffer[]).toString();
  const urls = [...text.matchAll(/api\/v1\/(\w+)\/policy/g)].map(([, environment]) => environment);
  expect(urls).toEqual(["staging", "production", "staging"]);
});

it("K4: a request is answered from the policy in service when it has arrived", async () => {
  let policy = policies.staging;
  const { url } = await startLane({ policy: () => policy });
  const before = await send(url + route, { body });
  policy = policies.production;
  const after = await send(url + route, { body });
  expect(before.body.toString()).toBe(expectedText("staging", before.body.toString()));
  expect(after.body.toString()).toBe(expectedText("production", after.body.toString()));
});
