import { readFileSync } from "node:fs";
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { parseJsonWithin } from "@/lib/platform/http/read/json-depth";
import { answerVehicle } from "@/lib/policy/answer/answer-vehicle";
import { copiedMembers, readPolicyTable } from "@/lib/policy/answer/policy-request";
import { readRequestBytes } from "@/lib/policy/answer/request-bytes";
import { scanRequestBytes } from "@/lib/policy/answer/request-scan";
import type { CompiledPolicy } from "@/lib/policy/table/compiled-policy";
import { compiled, shortenedTable } from "@/test/support/answers";
import { runs, seed } from "@/test/support/extent";
import { garbledNames, libraries, places, snapshotWith, writeJson } from "@/test/support/phones";
import { workedExample } from "@/test/support/worked-example";

/* What phones really send (docs/spec/phones.md). */

let policy: CompiledPolicy;
beforeAll(async () => {
  policy = await compiled(workedExample, "production");
});

const ids = ["3a15cab7-3371-409f-8e48-3369f96985bb", "unknown-to-all", "584421907", "blocked-one", "last one"];
const fixed = ["default", "device", "pre_DataConsent"];

async function ask(body: Buffer, hooks = {}) {
  const answer = await answerVehicle({ environment: "production", body, acceptsGzip: false, policy, hooks });
  const { data, error } = JSON.parse(Buffer.concat(answer.buffers).toString());
  const entries: Record<string, unknown> | undefined = data[0]?.policy_table.app_policies;
  return { status: answer.status, repair: answer.repair, error, ids: Object.keys(entries ?? {}), entries };
}
/** Names that are numbers come first in an object. */
const expected = [...Object.keys(Object.fromEntries(ids.map((id) => [id, 0]))), ...fixed];

describe("P1, Q1, Q2: whatever a library makes of a name, the car gets the entries of its apps", () => {
  const ways = Object.keys(libraries).flatMap((library) => [true, false].map((isEscaped) => ({ library, isEscaped })));

  it.each(ways)("$library, escaped: $isEscaped", async ({ library, isEscaped }) => {
    for (const place of places)
      for (const name of garbledNames) {
        const body = libraries[library]?.(writeJson(snapshotWith(ids, name, place), isEscaped)) ?? Buffer.alloc(0);
        const { status, ids: answered } = await ask(body);
        expect({ status, answered }, `${name} as ${place}`).toEqual({ status: 200, answered: expected });
      }
  });

  const garbled = (text: string) => Buffer.from(text.replaceAll("\\", ""), "latin1").toString("latin1");

  it("any names", async () => {
    const name = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.string({ unit: fc.constantFrom(...'"\\{}[],:aĢŜ'.split("")) }),
    );
    // One that imitates the beginning of another app's entry cannot be told from it.
    const isOpen = (text: string) => !/[}l"]\s*,\s*"[^]*"\s*:/.test(garbled(text));
    await fc.assert(
      fc.asyncProperty(
        name.filter(isOpen),
        fc.constantFrom(...places),
        fc.constantFrom(...ways),
        async (text, place, way) => {
          const json = writeJson(snapshotWith(ids, text, place), way.isEscaped);
          const { status, ids: answered } = await ask(libraries[way.library]?.(json) ?? Buffer.alloc(0));
          expect({ status, answered }).toEqual({ status: 200, answered: expected });
        },
      ),
      { numRuns: runs(5_000, 500), seed },
    );
  });

  // The second byte of Ŝ is a backslash: the mark behind it ends no text any more.
  it.each(["]}}Ŝ", "]}}}Ŝ", "]},Ŝ", "]}},Ŝ"])("names that end an entry too early: %s", async (name) => {
    for (const place of places) {
      const body = libraries["Android, PROPRIETARY"]?.(writeJson(snapshotWith(ids, name, place), false));
      expect((await ask(body ?? Buffer.alloc(0))).ids).toEqual(expected);
    }
  });

  it.each(['":{', '{":{', '},"":{', ',"a":"b', '"x":null', '],"a":{'])(
    "names that look like members: %s",
    async (name) => {
      for (const library of Object.values(libraries)) {
        const { ids: answered } = await ask(library(writeJson(snapshotWith(ids, name, "nickname"), true)));
        expect(answered).toEqual(expected);
      }
    },
  );

  it("Q4: tells how it was read", async () => {
    const android = (name: string) =>
      libraries["Android, PROPRIETARY"]?.(writeJson(snapshotWith(ids, name, "nickname"), false));
    expect((await ask(android("Radio") ?? Buffer.alloc(0))).repair).toBeNull();
    expect((await ask(android("Größe") ?? Buffer.alloc(0))).repair).toBe("utf8");
    expect((await ask(android('My "App"') ?? Buffer.alloc(0))).repair).toBe("scan");
  });
});

it("Q1: bytes that are no UTF-8: are replaced, in names and in ids", async () => {
  const body = Buffer.from(JSON.stringify({ policy_table: shortenedTable({ aÿb: {} }) }), "latin1");
  expect(await ask(body)).toMatchObject({ status: 200, ids: ["a\ufffdb", ...fixed], repair: "utf8" });
});

describe("Q2: what is no JSON is scanned", () => {
  const broken = (members: string) => Buffer.from(`{"policy_table":{"broken":"a"b",${members}}}`);

  it("without copied members", async () => {
    const app = '"x":{"auth_token":"secret","enabled":true}';
    const { entries } = await ask(broken(`"app_policies":{${app}}`));
    expect(JSON.stringify(entries)).not.toContain("secret");
  });

  it("for long ids, short ids and those of Core 4.5", () => {
    const read = (config: string) =>
      readPolicyTable(scanRequestBytes(broken(`"app_policies":{"x":null},"module_config":${config}`), 64));
    expect(read('{"full_app_id_supported" : true}')).toMatchObject({ fullAppIdSupported: true, isOlder: false });
    expect(read('{"full_app_id_supported":false}')).toMatchObject({ fullAppIdSupported: false, isOlder: false });
    expect(read("{}")).toMatchObject({ fullAppIdSupported: false, isOlder: true });
  });

  it("what stands outside of module_config says nothing about ids", () => {
    const read = (members: string) =>
      readPolicyTable(scanRequestBytes(broken(`"app_policies":{"x":null},${members}`), 64));
    const support = '"full_app_id_supported":true';
    expect(read(`"module_config":{"a":"b"c",${support}}`)).toMatchObject({ fullAppIdSupported: true, isOlder: false });
    expect(read(`"module_config":{},"device_data":{"a":"b"c",${support}}`)).toMatchObject({ isOlder: true });
    expect(read(`"module_config":{"a":"b"c"},"device_data":{"a":"b"c",${support}}`)).toMatchObject({ isOlder: true });
    expect(read(`"module_config":{"a":{${support}}}`)).toMatchObject({ isOlder: true });
  });

  it("what services an app names are no ids", async () => {
    const services = '"app_services":{"OTHER":{"handled_rpcs":[]},"MORE":{"handled_rpcs":[]}}';
    const { ids: answered } = await ask(broken(`"app_policies":{"x":{"nicknames":["a"b"],${services}},"y":null}`));
    expect(answered).toEqual(["x", "y", ...fixed]);
  });

  it.each([
    ["nothing that looks like an id", '"app_policies":{}'],
    ["no app_policies", '"apps":{"x":{}}'],
    ["app_policies that is no object", '"app_policies":"x"'],
    ["keys that are numbers", '"app_policies":{x:{}}'],
    ["a key with a control character", '"app_policies":{"a\u0001b":{}}'],
    ["members of the table alone", '"app_policies":{"device_data":{},"module_config":{}}'],
  ])("is refused: %s", async (_, members) => {
    expect(await ask(broken(members))).toMatchObject({ status: 400, error: "Malformed JSON body" });
  });

  it("not in forms, and not where bodies are encrypted", async () => {
    const body = broken('"app_policies":{"x":{}}');
    expect((await ask(body)).status).toBe(200);
    expect(await ask(body, { decryptPolicyTable: (value: unknown) => value })).toMatchObject({ status: 400 });
    const contentType = "application/x-www-form-urlencoded";
    const form = Buffer.from(`x${body.toString()}`);
    const answer = await answerVehicle({
      environment: "production",
      body: form,
      contentType,
      acceptsGzip: false,
      policy,
      hooks: {},
    });
    expect(answer.status).toBe(400);
  });

  it("within the limits of other requests", async () => {
    const many = Array.from({ length: 1_001 }, (_, at) => `"app-${at}":{}`).join(",");
    const error = "policy_table.app_policies holds more than 1000 app ids";
    expect(await ask(broken(`"app_policies":{${many}}`))).toMatchObject({ status: 400, error });
  });

  it("the last app_policies counts, one inside a text does not", async () => {
    const twice = '"app_policies":{"first":{}},"app_policies":{"second":{}}';
    expect((await ask(broken(twice))).ids).toEqual(["second", ...fixed]);
    const inside = String.raw`"module_meta":"\"app_policies\":{\"evil\":{}}","app_policies":{"x":{}}`;
    expect((await ask(broken(inside))).ids).toEqual(["x", ...fixed]);
  });

  // By the square of their length these would take hours.
  const mebibyte = 1_048_000;
  const beginning = '{"policy_table":{"app_policies":{"x":{"a"b"},';
  it.each([
    ["nested lists", "[".repeat(mebibyte)],
    ["nested objects", '{"a":'.repeat(mebibyte / 5)],
    ["quotes", '"'.repeat(mebibyte)],
    ["quotes and colons", '":'.repeat(mebibyte / 2)],
    ["texts that never end", String.raw`"k":{"x\":`.repeat(mebibyte / 10)],
    ["ids that never end", '"k":{"'.repeat(mebibyte / 6)],
    ["lists in ids that never end", '"k":['.repeat(mebibyte / 5)],
    ["blanks", `"${" ".repeat(mebibyte)}`],
    ["keys before blanks", `"k"${" ".repeat(99)}`.repeat(mebibyte / 102)],
    ["members of the table", '"device_data":'.repeat(mebibyte / 14)],
    ["module_config", '"module_config":'.repeat(mebibyte / 16)],
    ["module_config that is JSON", '"module_config":{},'.repeat(mebibyte / 19)],
    ["the same id", '},"k":{'.repeat(mebibyte / 7)],
  ])("Q3: %s of a mebibyte take time by their length", async (_, text) => {
    for (const start of ["", '{"policy_table":{', beginning]) {
      const { status } = await ask(Buffer.from(start + text));
      expect([200, 400]).toContain(status);
    }
  });
});

const samples = ["1-app", "10-apps", "10-apps-reduced", "50-apps"].map((name) =>
  JSON.parse(readFileSync(`test/fixtures/policy-requests/policy-request-${name}.json`, "utf8")),
);
const anySnapshot = fc
  .record({
    base: fc.constantFrom(...samples.slice(0, 3), snapshotWith(ids, 'a"\u{1f697}\\', "nickname")),
    apps: fc.dictionary(fc.string({ unit: "binary" }), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 8 }),
    enabled: fc.jsonValue({ maxDepth: 0 }),
    full: fc.jsonValue({ maxDepth: 1 }),
    space: fc.constantFrom(undefined, "\t", " "),
    isEscaped: fc.boolean(),
  })
  .map(({ base, apps, enabled, full, space, isEscaped }) => {
    const { app_policies, module_config, ...others } = base.policy_table;
    const table = {
      ...{ module_config: { ...module_config, full_app_id_supported: full } },
      app_policies: { ...app_policies, ...apps, copied: { auth_token: enabled, enabled, enabled_: 1 } },
      ...others,
    };
    return writeJson(JSON.parse(JSON.stringify({ policy_table: table }), undefined), isEscaped).replaceAll(
      ",",
      space === undefined ? "," : `,${space}`,
    );
  });

const realSnapshot = fc
  .record({
    base: fc.constantFrom(...samples.slice(1)),
    ids: fc.uniqueArray(fc.oneof(fc.uuid(), fc.stringMatching(/^[\w .-]{1,40}$/)), { minLength: 8, maxLength: 50 }),
    others: fc.constantFrom(null, "default", {}),
    name: fc.oneof(fc.constantFrom(...garbledNames), fc.string({ unit: "binary" })),
    isFirst: fc.boolean(),
    space: fc.constantFrom(undefined, 1, 2, 3),
    isFull: fc.constantFrom(true, false, undefined),
    isEscaped: fc.boolean(),
  })
  .map(({ base, ids: asked, others, name, isFirst, space, isFull, isEscaped }) => {
    const { app_policies, module_config, ...rest } = base.policy_table;
    const entries = Object.values(app_policies).filter((entry): entry is object => Object(entry) === entry);
    const apps = asked.map((id, at) => [
      id,
      at % 7 === 6 ? others : { ...entries[at % entries.length], nicknames: [name] },
    ]);
    const policies = { app_policies: Object.fromEntries(apps) };
    const config = { module_config: { ...module_config, full_app_id_supported: isFull } };
    const table = isFirst ? { ...policies, ...rest, ...config } : { ...config, ...rest, ...policies };
    return writeJson({ policy_table: table }, isEscaped, space);
  });

const pieces = [
  ...Array.from('"\\{}[],:0- \n\0ÿ'),
  ...["1e5", "1.", "tru", "true", "null"],
  ...['"enabled":false,', '"app_policies":{"z":{}},', '"policy_table":1,', '"__proto__":{},', String.raw`"\u0061":1,`],
];
const change = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  cut: fc.nat(3),
  put: fc.constantFrom("", ...pieces),
});
const changed = fc.tuple(anySnapshot, fc.array(change, { maxLength: 2 })).map(([text, changes]) => {
  let now = text;
  for (const { at, cut, put } of changes) {
    // Mostly behind a mark, where what is put in has a meaning.
    const near = Math.floor(at * now.length);
    const from = put.length > 4 ? now.indexOf("{", near) + 1 : near;
    now = now.slice(0, from) + put + now.slice(from + cut);
  }
  return now;
});

function outcome(read: () => unknown): unknown {
  try {
    const value = read();
    if (typeof value !== "object" || value === null || Array.isArray(value)) return "no object";
    const table: unknown = Object.hasOwn(value, "policy_table") ? Reflect.get(value, "policy_table") : undefined;
    const { apps, ...others } = readPolicyTable(table);
    return { ...others, apps: apps.map(([id, sent]) => [id, copiedMembers(sent)]) };
  } catch (error) {
    return error instanceof SyntaxError ? "no JSON" : String(error);
  }
}

describe("the pass over the bytes", () => {
  it("takes, refuses and reads what JSON.parse does", () => {
    const count = { read: 0, refused: 0 };
    fc.assert(
      fc.property(changed, fc.boolean(), (text, isLatin) => {
        const bytes = Buffer.from(text, isLatin ? "latin1" : "utf8");
        const parsed = outcome(() => parseJsonWithin(bytes, 64));
        expect(outcome(() => readRequestBytes(bytes, 64))).toEqual(parsed);
        count[typeof parsed === "object" ? "read" : "refused"]++;
      }),
      { numRuns: runs(10_000, 1_000), seed },
    );
    expect(Math.min(count.read, count.refused)).toBeGreaterThan(0);
  });

  it.each([
    ...'\ufeff{}|{} x|{}{}||[]|1|null|"a"|{"a":01}|{"a":1.}|{"a":.5}|{"a":-}|{"a":+1}|{"a":1e}|{"a":1e+5}'.split("|"),
    ...'{"a":"\t"}|{"a":"\\x"}|{"a":"\\u12g4"}|{"a":"\\u12"|{"a":NaN}|{a:1}|{"a" 1}|{"a":1,}|{"a":[1,]}|[1|{"a":tru}|{"a":"'.split(
      "|",
    ),
    "\v{}",
    '{"policy_table":"x","policy_table":{}}',
    `${'{"a":'.repeat(63)}{}${"}".repeat(63)}`,
    `${'{"a":'.repeat(64)}{}${"}".repeat(64)}`,
    `${"[".repeat(65)}${"]".repeat(65)}`,
  ])("is as JSON.parse for %j", (text) => {
    const bytes = Buffer.from(text);
    expect(outcome(() => readRequestBytes(bytes, 64))).toEqual(outcome(() => parseJsonWithin(bytes, 64)));
  });

  it.each([
    '"app_policies":{"__proto__":{"enabled":true},"10":1,"9":{"auth_token":"t"},"b":3,"10":{"enabled":false}}',
    String.raw`"app\u005fpolicies":{"a":{"en\u0061bled":true}},"module_config":{"full_app_id_supporte\u0064":1e-400}`,
    '"module_config":{"full_app_id_supported":[]},"app_policies":{"a":"text","b":[{"enabled":true}]}',
    '"module_config":{"full_app_id_supported":true},"module_config":{}',
    '"device_data":[]',
  ])("reads members as JSON.parse does: %s", (members) => {
    const others = Object.keys(shortenedTable({})).map((name) => `"${name}":{}`);
    const bytes = Buffer.from(`{"policy_table":{${[...others, members].join(",")}}}`);
    expect(outcome(() => readRequestBytes(bytes, 64))).toEqual(outcome(() => JSON.parse(bytes.toString())));
  });

  it("Q2: whatever is JSON gives the same ids by the scan", () => {
    const lengths: number[] = [];
    const count = { garbled: 0, json: 0 };
    fc.assert(
      fc.property(realSnapshot, fc.constantFrom(...Object.values(libraries)), (snapshot, library) => {
        const bytes = library(snapshot);
        const parsed = outcome(() => JSON.parse(bytes.toString()));
        count[parsed === "no JSON" ? "garbled" : "json"]++;
        if (parsed === "no JSON") return;
        lengths.push(bytes.length);
        expect(withoutCopies(outcome(() => ({ policy_table: scanRequestBytes(bytes, 64) })))).toEqual(
          withoutCopies(parsed),
        );
      }),
      { numRuns: runs(10_000, 500), seed },
    );
    expect(Math.min(count.garbled, count.json)).toBeGreaterThan(0);
    expect([Math.min(...lengths) < 20_000, Math.max(...lengths) > 80_000]).toEqual([true, true]);
  });
});

function withoutCopies(read: unknown): unknown {
  const { apps, ...others } = read as { apps: readonly (readonly [string, string])[] };
  return { ...others, ids: apps.map(([id]) => id) };
}
