import { spawn, spawnSync } from "node:child_process";
import { connect } from "node:net";
import { gunzipSync } from "node:zlib";
import { beforeAll, describe, expect, it } from "vitest";
import { policyRouteOf } from "@/lib/vehicle-api/worker";
import type { CompiledPolicy } from "@/lib/policy/table/compiled-policy";
import { environments, type Environment } from "@/lib/vocabulary/terms";
import { answerText, requestId } from "@/test/support/answers";
import {
  anyUuid,
  body,
  expectError,
  jsonOf,
  route,
  send,
  serveWorkedExample,
  startVehicleWorker,
  workedPolicies,
} from "@/test/support/worker-server";
import { workedRequest } from "@/test/support/worked-example";

let policies: Record<Environment, CompiledPolicy>;

beforeAll(async () => {
  policies = await workedPolicies();
});

function expectedText(environment: Environment, answered: string): string {
  return answerText(policies[environment], workedRequest.policy_table).replace(
    requestId,
    JSON.parse(answered).meta.request_id,
  );
}

describe("paths (api 0.1)", () => {
  const paths = environments.flatMap((environment) =>
    ["v1", "1"].flatMap((version) =>
      ["", "/", "?x=1", "/?x=/api"].map((end) => [`/api/${version}/${environment}/policy${end}`, environment] as const),
    ),
  );

  it.each(paths)("%s is the %s route", async (path, environment) => {
    expect(policyRouteOf({ url: path, headers: {} })).toBe(environment);
    const { url } = await serveWorkedExample();
    const answer = await send(url + path, { body });
    expect(answer.status).toBe(200);
    expect(answer.body.toString()).toBe(expectedText(environment, answer.body.toString()));
  });

  it.each([
    ...["/api/v1/staging", "/api/v1/Staging/policy", "/api/v2/staging/policy", "/api/v1/staging/policy//"],
    ...["/x/api/v1/staging/policy", "/api/v1/policy/preview", ""],
  ])("%j is another route", (path) => expect(policyRouteOf({ url: path, headers: {} })).toBeNull());

  it("leaves compressed bodies to the framework", () => {
    const url = "/api/v1/staging/policy";
    expect(policyRouteOf({ url, headers: { "content-encoding": "gzip" } })).toBeNull();
  });
});

it("every answer has the server's headers and a request id of its own (api 0.4)", async () => {
  const { url, events } = await serveWorkedExample({
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
  it("gzip holds the very bytes of the plain answer", async () => {
    const { url, events } = await serveWorkedExample();
    const answer = await send(url + route, { body, headers: { "Accept-Encoding": "gzip" } });
    expect(answer.headers["content-encoding"]).toBe("gzip");
    expect(answer.headers["content-length"]).toBe(String(answer.body.length));
    const text = gunzipSync(answer.body).toString();
    expect(text).toBe(expectedText("production", text));
    expect(answer.body.length).toBeLessThan(text.length);
    expect(events[0]).toMatchObject({ environment: "production", status: 200, bytes: answer.body.length, cause: null });
  });
  it.skipIf(!(spawnSync("curl", ["--version"]).status === 0))("curl --compressed reads it", async () => {
    const { url } = await serveWorkedExample();
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
      const { url } = await serveWorkedExample();
      const answer = await send(url + route, { body, headers: { "Accept-Encoding": accepted } });
      expect(answer.headers["content-encoding"]).toBe("gzip");
      expect(JSON.parse(gunzipSync(answer.body).toString()).meta.code).toBe(200);
    },
  );

  it.each([
    ...[undefined, "", "identity", "gzip;q=0", "br, deflate", "gzip;q=0, *;q=0.5", "*;q=0", "gzipped"],
    "gzip;q=0.1, identity",
  ])("%j is answered as it is", async (accepted) => {
    const { url } = await serveWorkedExample();
    const headers = accepted === undefined ? {} : { "Accept-Encoding": accepted };
    const answer = await send(url + route, { body, headers });
    expect(answer.headers).not.toHaveProperty("content-encoding");
    expect(answer.headers["content-length"]).toBe(String(answer.body.length));
    expect(answer.body.toString()).toBe(expectedText("production", answer.body.toString()));
  });

  it("the same header is understood the same way again", async () => {
    const { url } = await serveWorkedExample();
    for (const accepted of ["gzip;q=0", "gzip", "gzip;q=0", "gzip"]) {
      const answer = await send(url + route, { body, headers: { "Accept-Encoding": accepted } });
      expect(answer.headers["content-encoding"]).toBe(accepted === "gzip" ? "gzip" : undefined);
    }
  });

  it("finding B8: nothing between keeps a table, which may hold a private key, and what is said depends on Accept-Encoding", async () => {
    const { url } = await serveWorkedExample();
    for (const headers of [{}, { "Accept-Encoding": "gzip" }])
      for (const sent of [body, "not JSON"]) {
        const answer = await send(url + route, { body: sent, headers });
        expect(answer.headers).toMatchObject({ "cache-control": "no-store", vary: "Accept-Encoding" });
      }
  });
});

describe("CORS (api 0.7)", () => {
  it("every answer allows every origin, errors included", async () => {
    const { url } = await serveWorkedExample();
    for (const sent of [{ body }, { body: "no json" }, { method: "DELETE" }, { method: "GET" }]) {
      const { headers } = await send(url + route, { ...sent, headers: { Origin: "https://car.example.com" } });
      expect(headers["access-control-allow-origin"]).toBe("*");
    }
  });

  it("a preflight echoes the requested headers", async () => {
    const { url } = await serveWorkedExample();
    const answer = await send(url + route, {
      method: "OPTIONS",
      headers: {
        Origin: "https://car.example.com",
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "content-type, x-vehicle",
        "Access-Control-Request-Private-Network": "true",
      },
    });
    expect(answer.status).toBe(204);
    expect(answer.body).toHaveLength(0);
    expect(answer.headers).toMatchObject({
      "access-control-allow-origin": "*",
      "access-control-allow-methods": "POST",
      "access-control-allow-headers": "content-type, x-vehicle",
      "access-control-allow-private-network": "true",
      vary: "Access-Control-Request-Headers",
    });
  });

  it("a preflight without requested headers names none, and needs no policy", async () => {
    const { url } = await startVehicleWorker();
    const answer = await send(url + route, { method: "OPTIONS" });
    expect(answer.status).toBe(204);
    expect(answer.headers).not.toHaveProperty("access-control-allow-private-network");
    expect(answer.headers).not.toHaveProperty("access-control-allow-headers");
    expect(answer.headers["access-control-allow-methods"]).toBe("POST");
  });
});

describe("405", () => {
  it.each(["GET", "PUT", "PATCH", "DELETE"])("%s is not allowed", async (method) => {
    const { url } = await serveWorkedExample();
    const answer = await send(url + route, { method, ...(method === "PUT" ? { body } : {}) });
    expectError(answer, 405, "Method not allowed");
    expect(answer.headers.allow).toBe("POST, OPTIONS");
  });

  it("HEAD is answered without a body", async () => {
    const { url } = await serveWorkedExample();
    const answer = await send(url + route, { method: "HEAD" });
    expect(answer.status).toBe(405);
    expect(answer.headers.allow).toBe("POST, OPTIONS");
    expect(answer.body).toHaveLength(0);
  });
});

it("R7: 500 tells nothing but that; the cause goes to the observer", async () => {
  const cause = new Error("secret of the hook");
  const { url, events } = await serveWorkedExample({ hooks: { encryptPolicyTable: () => Promise.reject(cause) } });
  expectError(await send(url + route, { body }), 500, "Internal server error");
  expect(events[0]).toMatchObject({ status: 500, cause });
});

it("many requests on one connection are answered in order", async () => {
  const { port } = await serveWorkedExample();
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
  const { url } = await startVehicleWorker({ policy: () => policy });
  const before = await send(url + route, { body });
  policy = policies.production;
  const after = await send(url + route, { body });
  expect(before.body.toString()).toBe(expectedText("staging", before.body.toString()));
  expect(after.body.toString()).toBe(expectedText("production", after.body.toString()));
});
