import { connect } from "node:net";
import { describe, expect, it } from "vitest";
import { shortenedTable } from "@/test/support/answers";
import {
  body,
  expectError,
  route,
  send,
  serveWorkedExample,
  startVehicleWorker,
  timeout,
  workedPolicies,
} from "@/test/support/worker-server";
import { workedRequest } from "@/test/support/worked-example";

describe("413 (api 0.2)", () => {
  const padded = (length: number) => {
    const text = JSON.stringify({ ...workedRequest, padding: "" });
    return text.replace('"padding":""', `"padding":"${"x".repeat(length - text.length)}"`);
  };
  const largest = 1_048_576;

  it("takes a body of 1 MiB", async () => {
    const { url } = await serveWorkedExample();
    expect((await send(url + route, { body: padded(largest) })).status).toBe(200);
    const chunked = await send(url + route, { body: padded(largest), headers: { "Transfer-Encoding": "chunked" } });
    expect(chunked.status).toBe(200);
  });

  it.each([largest + 1, 8 * largest])("refuses %d bytes by content-length", async (length) => {
    const { url } = await serveWorkedExample();
    const answer = await send(url + route, { body: padded(length) });
    expectError(answer, 413, "Payload too large");
    expect(answer.headers.connection).toBe("close");
  });

  it.each([largest + 1, 8 * largest])("refuses %d bytes in chunks, once", async (length) => {
    const { url, events } = await serveWorkedExample();
    const answer = await send(url + route, { body: padded(length), headers: { "Transfer-Encoding": "chunked" } });
    expectError(answer, 413, "Payload too large");
    expect(events.map(({ status }) => status)).toEqual([413]);
  });

  it("answers before the body has come, when its length says enough", async () => {
    const { port } = await serveWorkedExample();
    const socket = connect(port, "127.0.0.1");
    socket.write(`POST ${route} HTTP/1.1\r\nHost: a\r\nContent-Length: ${largest + 1}\r\n\r\n`);
    const [first] = (await socket.take(1).toArray()) as Buffer[];
    expect(first?.toString()).toMatch(/^HTTP\/1\.1 413 /);
  });

  it("serves the next vehicle as before", async () => {
    const { url } = await serveWorkedExample({ limits: { maxPerClient: 1 } });
    for (const headers of [{}, { "Transfer-Encoding": "chunked" }]) {
      expect((await send(url + route, { body: padded(3 * largest), headers })).status).toBe(413);
      await expect.poll(async () => (await send(url + route, { body })).status, timeout).toBe(200);
    }
  });
});

describe("400", () => {
  it.each([
    ["{}", "policy_table is missing"],
    ["", "policy_table is missing"],
    [
      '{ "HTTPRequest": {"headers": {}, "body": "{}"}}',
      "policy_table is missing: the body is the wrapper HTTPRequest; send only the text in its member body",
    ],
    ['{"data":[{}]}', "policy_table is missing: the body is the wrapper data; send only its first element"],
    ['{"__proto__":{"policy_table":{}}}', "policy_table is missing"],
    ['{"policy_table":[]}', "policy_table must be an object"],
    ['{"policy_table":{"app_policies":{}}}', "policy_table.consumer_friendly_messages is missing"],
    ["{", "Malformed JSON body"],
    ["\ufeff{}", "Malformed JSON body"],
    [" ", "Malformed JSON body"],
    ["[]", "Body must be a JSON object"],
    ["null", "Body must be a JSON object"],
    ['"text"', "Body must be a JSON object"],
    ["[".repeat(100_000), "Body is nested deeper than 64 levels"],
    [`{"x":${'{"a":'.repeat(100_000)}`, "Body is nested deeper than 64 levels"],
  ])("R1: a body is refused with what is wrong, never compressed: %.40s", async (sent, message) => {
    const { url } = await serveWorkedExample();
    const answer = await send(url + route, { body: sent, headers: { "Accept-Encoding": "gzip" } });
    expect(answer.headers).not.toHaveProperty("content-encoding");
    expectError(answer, 400, message);
  });

  it("nesting as deep as a table needs, and more, is taken", async () => {
    const { url } = await serveWorkedExample();
    const device_data = JSON.parse(`${'{"a":'.repeat(61)}{}${"}".repeat(61)}`);
    const deepest = { policy_table: { ...shortenedTable({}), device_data } };
    expect((await send(url + route, { body: JSON.stringify(deepest) })).status).toBe(200);
  });
});

describe("503", () => {
  it("while there is no policy, with Retry-After 5", async () => {
    const { url } = await startVehicleWorker();
    const answer = await send(url + route, { body });
    expectError(answer, 503, "Service unavailable");
    expect(answer.headers["retry-after"]).toBe("5");
  });

  it("G2: for the environment that has none, while the other answers", async () => {
    const policies = await workedPolicies();
    const { url } = await startVehicleWorker({ policy: (name) => (name === "staging" ? policies.staging : null) });
    expect((await send(`${url}/api/v1/staging/policy`, { body })).status).toBe(200);
    expect((await send(`${url}/api/v1/production/policy`, { body })).status).toBe(503);
  });
});
