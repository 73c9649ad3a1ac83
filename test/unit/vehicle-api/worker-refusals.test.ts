import { connect } from "node:net";
import { describe, expect, it } from "vitest";
import { shortenedTable } from "@/test/support/answers";
import {
  expectError,
  jsonOf,
  send,
  serveWorkedExample,
  startVehicleWorker,
  workedPolicies,
} from "@/test/support/worker-server";
import { workedRequest } from "@/test/support/worked-example";

const body = JSON.stringify(workedRequest);
const route = "/api/v1/production/policy";
/** Ends a hang, judges nothing. */
const timeout = { timeout: 120_000, interval: 5 };

describe("413 (api 0.2)", () => {
  const padded = (length: number) => {
    const text = JSON.stringify({ ...workedRequest, padding: "" });
    return text.replace('"padding":""', `"padding":"${"x".repeat(length - text.length)}"`);
  };
  const largest = 1_048_576;

  it("takes a body of 1 MiB", async () => {
    const { url } = await serveWorkedExample();
    const answer = await send(url + route, { body: padded(largest) });
    expect(answer.status).toBe(200);
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
  const sentence = async (sent: string | Buffer) => {
    const { url } = await serveWorkedExample();
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

  it.each(["5", "null", '"text"', "[]", "true"])("R1: %s is no policy table and no member of one", async (value) => {
    expect(await sentence(`{"policy_table":${value}}`)).toBe("policy_table must be an object");
    const table = JSON.stringify({ app_policies: {} }).replace("}}", `},"consumer_friendly_messages":${value}}`);
    expect(await sentence(`{"policy_table":${table}}`)).toBe(
      "policy_table.consumer_friendly_messages must be an object",
    );
  });

  it.each(["{", "nonsense", '{"a":1}}', "\ufeff{}", " "])("%j is malformed", async (text) => {
    expect(await sentence(text)).toBe("Malformed JSON body");
  });

  it.each(["[]", '[{"policy_table":{}}]', "null", "5", '"text"', "true"])("%s is no object", async (text) => {
    expect(await sentence(text)).toBe("Body must be a JSON object");
  });

  it.each(["[", '{"a":'])("100,000 times %s inside each other exhausts nothing", async (open) => {
    const close = open === "[" ? "]" : "}";
    const deep = `${open.repeat(100_000)}1${close.repeat(100_000)}`;
    expect(await sentence(`{"policy_table":${deep}}`)).toBe("Body is nested deeper than 64 levels");
    // Looked at before it is parsed, so that nobody sees that it has no end.
    expect(await sentence(`{"x":${open.repeat(100_000)}`)).toBe("Body is nested deeper than 64 levels");
  });

  it("nesting as deep as a table needs, and more, is taken", async () => {
    const { url } = await serveWorkedExample();
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
    const { url } = await serveWorkedExample();
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
