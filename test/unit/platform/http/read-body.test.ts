import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { AppError } from "@/lib/platform/errors";
import { bodyId } from "@/lib/platform/zod/query";
import { readBody } from "@/lib/platform/http/read/read-body";
import { aRequest } from "@/test/support/requests";

const send = (body: string | Uint8Array, type?: string, headers: Record<string, string> = {}) =>
  readBody(aRequest("/", { method: "POST", body, headers: { ...(type ? { "Content-Type": type } : {}), ...headers } }));
const json = (body: string, headers?: Record<string, string>) => send(body, "application/json", headers);
const formType = "application/x-www-form-urlencoded";
const form = (body: string) => send(body, formType);
const formOf = (body: string, schema: z.ZodType) =>
  readBody(aRequest("/", { method: "POST", body, headers: { "Content-Type": formType } }), { schema });

async function failureOf(reading: Promise<unknown>): Promise<[number, string]> {
  const error: unknown = await reading.then(
    () => null,
    (cause: unknown) => cause,
  );
  if (!(error instanceof AppError)) throw new Error("no AppError");
  return [error.status, error.message];
}

describe("0.2: JSON", () => {
  it("reads an object, with and without a charset", async () => {
    expect(await json('{"a":[1,{"b":null}]}')).toEqual({ a: [1, { b: null }] });
    expect(await send('{"a":"ä"}', "Application/JSON; charset=utf-8")).toEqual({ a: "ä" });
  });

  it("takes no body, and an empty one, for an empty object", async () => {
    expect(await readBody(aRequest("/", { method: "POST" }))).toEqual({});
    expect(await json("")).toEqual({});
  });

  it.each(["{", "{'a':1}", "nul", '{"a":1}}', "\u0000"])("answers 400 to the malformed %j", async (body) => {
    expect(await failureOf(json(body))).toEqual([400, "Malformed JSON body"]);
  });

  it.each(["[]", "1", "null", '"text"', "true"])("answers 400 to %s, which is no object", async (body) => {
    expect(await failureOf(json(body))).toEqual([400, "Body must be a JSON object"]);
  });

  it("drops prototype keys on every level and keeps dollar and dot keys as data", async () => {
    const body = await json(
      '{"__proto__":{"x":1},"a":[{"constructor":1,"b":{"prototype":{},"__proto__":2,"c":3}}],"$set":1,"p.q":2}',
    );
    expect(JSON.stringify(body)).toBe('{"a":[{"b":{"c":3}}],"$set":1,"p.q":2}');
    expect(({} as { x?: number }).x).toBeUndefined();
  });

  it("finding G8: keeps all keys in the member whose keys are data, and nowhere else", async () => {
    const keys = '{"__proto__":{"constructor":1},"b":2}';
    const body = `{"kept":${keys},"other":{"kept":${keys}},"__proto__":{"x":1}}`;
    const read = await readBody(aRequest("/", { method: "POST", body }), { keptIn: "kept" });
    expect(JSON.stringify(read)).toBe(`{"kept":${keys},"other":{"kept":{"b":2}}}`);
    expect(({} as { constructor?: unknown }).constructor).toBe(Object);
  });

  it("answers 400 to bytes that are no UTF-8", async () =>
    expect(await failureOf(send(Buffer.from([0x7b, 0xff, 0x7d]), "application/json"))).toEqual([
      400,
      "Body is not valid UTF-8",
    ]));

  it("answers 400 to nesting that would exhaust whoever walks it", async () => {
    const nested = (levels: number) => `{"a":${"[".repeat(levels - 1)}${"]".repeat(levels - 1)}}`;
    expect(await json(nested(64))).toHaveProperty("a");
    expect(await failureOf(json(nested(65)))).toEqual([400, "Body must not be nested deeper than 64 levels"]);
    expect((await failureOf(json(nested(200_000))))[0]).toBe(400);
  });

  it("finding A8: answers 400 to more values than can be checked in a moment", async () => {
    const values = (many: number) => JSON.stringify({ a: Array.from({ length: many - 2 }, () => 0) });
    expect((await json(values(300_000))).a).toHaveLength(299_998);
    expect(await failureOf(json(values(300_001)))).toEqual([400, "Body must not hold more than 300000 values"]);
  });

  it("N10: a body is looked at for its depth before it is parsed, however short", async () => {
    const parse = vi.spyOn(JSON, "parse");
    expect((await failureOf(json(`{"a":${"[".repeat(64)}${"]".repeat(64)}}`)))[0]).toBe(400);
    expect(parse).not.toHaveBeenCalled();
    await json('{"a":"[[[[","b":[]}');
    expect(parse).toHaveBeenCalledOnce();
    parse.mockRestore();
  });
});

describe("0.2: forms", () => {
  it("reads nested keys in brackets", async () =>
    expect(await form("name=Group+1&rpcs[0][name]=Show&rpcs[0][levels][]=FULL&id=7")).toEqual({
      name: "Group 1",
      rpcs: [{ name: "Show", levels: ["FULL"] }],
      id: "7",
    }));

  it("drops prototype keys", async () => {
    expect(JSON.stringify(await form("__proto__[x]=1&a[constructor][prototype][x]=1&b=2"))).toBe('{"a":{},"b":"2"}');
    expect(({} as { x?: number }).x).toBeUndefined();
  });

  it("reads an empty list and null, which a form has no text for", async () =>
    expect(await form("a[]=&b&c=&d[][e][]=")).toEqual({ a: [], b: null, c: "", d: [{ e: [] }] }));

  it("finding D1: reads texts as what the route takes, where it does not take the text", async () => {
    const schema = z.object({
      flag: z.boolean(),
      count: z.number(),
      id: bodyId,
      name: z.string(),
      either: z.union([z.boolean(), z.string()]),
      list: z.array(z.object({ selected: z.boolean() })),
      level: z.enum(["1", "true"]).or(z.boolean()),
      map: z.record(z.string(), z.boolean()),
      free: z.unknown(),
    });
    const text =
      "flag=true&count=-1.5&id=7&name=true&either=true&list[0][selected]=false&level=true&map[x]=false&free=true&more=1";
    expect(await formOf(text, schema)).toEqual({
      flag: true,
      count: -1.5,
      id: "7",
      name: "true",
      either: "true",
      list: [{ selected: false }],
      level: "true",
      map: { x: false },
      free: "true",
      more: "1",
    });
    expect(await formOf("flag=yes&count=many&list=true", schema)).toEqual({ flag: "yes", count: "many", list: "true" });
  });

  it("bounds depth and number of fields", async () => {
    expect((await failureOf(form(`a${"[b]".repeat(40)}=1`)))[0]).toBe(400);
    expect((await failureOf(form("a=1&".repeat(6000))))[0]).toBe(400);
  });
});

describe("0.2: size and encoding", () => {
  const ofSize = (bytes: number) => `{"a":"${"x".repeat(bytes - 8)}"}`;

  it("takes 1,048,576 bytes and answers 413 to one more", async () => {
    expect(await json(ofSize(1_048_576))).toHaveProperty("a");
    expect(await failureOf(json(ofSize(1_048_577)))).toEqual([413, "Payload too large"]);
  });

  it("believes no announced length", async () => {
    const chunk = new TextEncoder().encode("x".repeat(65_536));
    const endless = new ReadableStream<Uint8Array>({ pull: (controller) => controller.enqueue(chunk) });
    const request = new Request("http://localhost/", { method: "POST", body: endless, duplex: "half" } as RequestInit);
    expect((await failureOf(readBody(request)))[0]).toBe(413);
  });

  it.each([
    ["gzip", gzipSync],
    ["deflate", deflateSync],
    ["br", brotliCompressSync],
  ] as const)("counts %s bodies after decoding", async (encoding, compress) => {
    const headers = { "Content-Encoding": encoding };
    expect(await send(compress('{"a":1}'), "application/json", headers)).toEqual({ a: 1 });
    expect((await failureOf(send(compress(ofSize(50_000_000)), "application/json", headers)))[0]).toBe(413);
  });

  it("answers 400 to a broken encoding and 415 to an unknown one", async () => {
    expect((await failureOf(json("{}", { "Content-Encoding": "gzip" })))[0]).toBe(400);
    expect((await failureOf(json("{}", { "Content-Encoding": "zstd" })))[0]).toBe(415);
  });

  it("answers 415 to other media types", async () => {
    expect((await failureOf(send("<a/>", "text/xml")))[0]).toBe(415);
    expect((await failureOf(send("{}", "text/plain")))[0]).toBe(415);
  });
});
