import { spawnSync } from "node:child_process";
import { gunzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { buildAnswer, joinPlain, type AnswerParts } from "@/lib/policy/answer";
import { joinGzip } from "@/lib/policy/answer-gzip";
import { compilePolicy } from "@/lib/policy/compiled-policy";
import { splitEntry } from "@/lib/policy/entry-pieces";
import { Fragment } from "@/lib/policy/fragment";
import { PieceTable } from "@/lib/policy/piece-table";
import { PiecedFragment } from "@/lib/policy/pieced-fragment";
import { readPolicyTable } from "@/lib/policy/policy-request";
import type { SnapshotApp } from "@/lib/policy/snapshot";
import { requestId, shortenedTable } from "@/test/support/answers";
import { anApp, anAppVersion, policyOptions } from "@/test/support/builders";
import { seedApps, seedSnapshot, seedUuid } from "@/test/support/seed-snapshot";

const plainOf = (parts: AnswerParts) => Buffer.concat(joinPlain(parts).buffers);

/** Compresses the parts and checks that they come out again. */
function gzipOf(parts: AnswerParts): Buffer {
  const { buffers, length } = joinGzip(parts);
  const gzip = Buffer.concat(buffers);
  expect(gzip.length).toBe(length);
  expect(gunzipSync(gzip).equals(plainOf(parts))).toBe(true);
  return gzip;
}

/** Text without repetition that a reference could use, from the characters given. */
function mixedText(
  length: number,
  seed: number,
  alphabet = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ",
): string {
  let state = seed * 2 + 1;
  return Array.from({ length }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return alphabet[(state >>> 16) % alphabet.length] ?? "";
  }).join("");
}

const entryText = (name: string, groups: readonly string[], rest = "") =>
  `{"AppHMIType":["MEDIA"],"nicknames":[${JSON.stringify(name)}],"keep_context":true,"groups":` +
  `${JSON.stringify(groups)},"RequestType":[]${rest}`;

const awkward = ["Ä", "日本語のグループ", "\u{1f697}", 'q"uo\\te', "", '"groups":["x"]', "\ud800"];
const groupNames = [
  ...Array.from({ length: 12 }, (_, at) => `Group-${at}`),
  ...[0, 1, 2, 3, 4, 255, 256, 257, 258, 513, 514, 40_000].map((length) => mixedText(length, length)),
  ...awkward,
];
const someGroups = fc
  .uniqueArray(fc.nat(groupNames.length - 1), { maxLength: 14 })
  .map((places) => places.sort((a, b) => a - b).map((place) => groupNames[place] ?? ""));
const anyName = fc.oneof(fc.string({ unit: "grapheme", maxLength: 30 }), fc.constantFrom(...awkward));
const anyRest = fc.oneof(
  fc.constant(""),
  fc.webUrl().map((url) => `,"icon_url":${JSON.stringify(url)}`),
  fc.integer({ min: 100, max: 5_000 }).map((length) => `,"certificate":"${mixedText(length, length)}"`),
  fc.integer({ min: 100, max: 5_000 }).map((length) => `,"endpoint":"${mixedText(length, length, "äöüß")}"`),
);
const anyEntry = fc
  .tuple(anyName, someGroups, anyRest, fc.boolean())
  .map(([name, groups, rest, isNamed]) =>
    isNamed ? `${JSON.stringify(name)}:${entryText(name, groups, rest)}},` : entryText(name, groups, rest),
  );
const anyText = fc.oneof(
  fc.string({ unit: "binary", maxLength: 300 }),
  fc.constantFrom(200, 255, 256, 257, 32_767, 32_768, 70_000).map((length) => mixedText(length, length, "aé")),
);
const anyParts = fc.array(
  fc.oneof(
    { arbitrary: anyEntry.map((text) => ({ kind: "entry", text })), weight: 6 },
    { arbitrary: anyText.map((text) => ({ kind: "text", text })), weight: 2 },
    { arbitrary: anyText.map((text) => ({ kind: "fragment", text })), weight: 1 },
  ),
  { maxLength: 25 },
);

describe("references between app entries", () => {
  it("come out as the plain answer for any entries, texts and fragments", () => {
    // One table for all runs: what an answer notes must not show in the next one.
    const tables = [new PieceTable(), new PieceTable()];
    fc.assert(
      fc.property(anyParts, fc.array(fc.boolean(), { minLength: 25, maxLength: 25 }), (parts, second) => {
        gzipOf(
          parts.map(({ kind, text }, at) => {
            const table = tables[second[at] === true ? 1 : 0] ?? new PieceTable();
            return kind === "text" ? text : kind === "entry" ? new PiecedFragment(text, table) : new Fragment(text);
          }),
        );
      }),
      { numRuns: 300 },
    );
  });

  it.each([5, 6, 258, 259, 260, 261, 515, 516, 517, 518, 775, 776])("of exactly %d bytes", (length) => {
    const name = mixedText(length - 3, length);
    const table = new PieceTable();
    const parts = ["a", "b", "c"].map((app) => new PiecedFragment(entryText(app, [name, `last-${app}`]), table));
    expect(parts.every(({ bytes }) => bytes.includes(`"${name}",`))).toBe(true);
    // The second and the third entry cost next to nothing.
    expect(gzipOf(parts).length - gzipOf(parts.slice(0, 1)).length).toBeLessThan(100);
  });

  it.each([32_000, 32_500, 32_600, 32_700, 32_768, 32_800, 33_000, 70_000])(
    "reach no further than 32,768 bytes back (%d bytes in between)",
    (gap) => {
      const table = new PieceTable();
      const names = Array.from({ length: 10 }, (_, at) => mixedText(30, at));
      const entry = new PiecedFragment(entryText("a", names), table);
      for (let shift = 0; shift < 40; shift++) {
        const between = mixedText(gap + shift, gap);
        gzipOf([entry, between, entry]);
        gzipOf([entry, new Fragment(between), entry, entry]);
      }
    },
  );

  it("find the last group of a list where it had a comma after it", () => {
    const [table, last] = [new PieceTable(), mixedText(200, 7)];
    const first = new PiecedFragment(entryText("a", [last, "Zulu"]), table);
    const second = new PiecedFragment(entryText("b", [last]), table);
    expect(gzipOf([first, second]).length - gzipOf([first]).length).toBeLessThan(40);
  });

  it("leave a long text that is the app's own to its ready-made blocks", () => {
    const table = new PieceTable();
    const certificate = `,"certificate":"${"repeated text ".repeat(300)}"`;
    const parts = ["a", "b"].map((app) => new PiecedFragment(entryText(app, ["Base"], certificate), table));
    expect(gzipOf(parts).length).toBeLessThan(500);
  });

  it("work for more groups than a table takes", () => {
    const table = new PieceTable();
    const names = Array.from({ length: 3_000 }, (_, at) => `Group ${at}`);
    const entries = [0, 1_000, 2_000].map(
      (at) => new PiecedFragment(entryText("a", names.slice(at, at + 1_000)), table),
    );
    expect(table.isWorn).toBe(false);
    gzipOf([...entries, ...entries]);
    expect(table.isWorn).toBe(true);
    const others = [0, 1].map(
      (part) =>
        new PiecedFragment(
          entryText(
            "b",
            names.map((name) => `${name} of ${part}`),
          ),
          table,
        ),
    );
    gzipOf([...others, ...others, ...entries]);
    expect(table.numberOf("one more text")).toBeNull();
  });

  it("are forgotten in a new age", () => {
    const table = new PieceTable();
    const number = table.numberOf("piece") ?? 0;
    table.lastAt[number] = 5;
    table.enter(0);
    expect(table.lastAt[number]).toBe(5);
    table.enter(1);
    expect(table.lastAt[number]).toBeLessThan(-32_768);
  });
});

describe("answers share memory one after the other", () => {
  const table = new PieceTable();
  const answerNumber = (at: number, length: number): AnswerParts => [
    `text ${at}`,
    new Fragment(mixedText(length, at)),
    new PiecedFragment(entryText(`app ${at}`, ["Base", `Group ${at}`]), table),
    new PiecedFragment(entryText(`other ${at}`, ["Base", `Group ${at}`]), table),
    `end ${at}`,
  ];

  it("and stay as they are while others are made", () => {
    const lengths = Array.from({ length: 60 }, (_, at) => [3_000, 20_000, 150_000][at % 3] ?? 0);
    const made = lengths.map((length, at) => {
      const parts = answerNumber(at, length);
      return { parts, buffers: joinGzip(parts).buffers };
    });
    for (const { parts, buffers } of made) {
      expect(gunzipSync(Buffer.concat(buffers)).equals(plainOf(parts))).toBe(true);
    }
  });

  it("but for one that is larger than the memory", () => {
    const many = Array.from({ length: 3_000 }, (_, at) => answerNumber(at, 10)).flat();
    expect(gzipOf(many).length).toBeGreaterThan(131_072);
    gzipOf(answerNumber(1, 10));
  });

  it("and one that fails leaves nothing behind", () => {
    const broken = new PiecedFragment(entryText("x", ["Base"]), table);
    Object.defineProperty(broken, "bytes", {
      get: () => {
        throw new TypeError("broken on purpose");
      },
    });
    const entry = new PiecedFragment(entryText("y", ["Base"]), table);
    expect(() => joinGzip(["text", entry, broken])).toThrow("broken on purpose");
    gzipOf(["text", entry, entry]);
  });
});

describe("an entry is split", () => {
  it("into pieces that make up its text, whatever the text", () => {
    const joined = (text: string) =>
      splitEntry(text)
        .map((piece) => piece.text)
        .join("");
    fc.assert(
      fc.property(anyEntry, (text) => {
        expect(joined(text)).toBe(text);
      }),
    );
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('"', "\\", "/", ",", "]", '"groups":[', '"icon_url":"') }),
        (text) => {
          expect(joined(text)).toBe(text);
        },
      ),
    );
  });

  it("where something of the app's own begins or ends, and around groups and services", () => {
    const rest = ',"icon_url":"https://cdn.example.com/icons/a.png","cloud_transport_type":"WS"';
    const services = ',"app_services":{"MEDIA":{"service_names":["Hi"],"handled_rpcs":[]}}';
    const tail = `${services},"allow_unknown_rpc_passthrough":false${rest}`;
    const pieces = splitEntry(`"id":${entryText('say "hi"', ["Base", "Location"], tail)}},`);
    expect(pieces.map(({ text, isOwn }) => (isOwn ? `own ${text}` : text))).toEqual([
      'own "id":',
      '{"AppHMIType":["MEDIA"],"nicknames":[',
      'own "say \\"hi\\""',
      '],"keep_context":true,"groups":[',
      '"Base",',
      '"Location"',
      '],"RequestType":[],"app_services":{',
      '"MEDIA":{"service_names":[',
      'own "Hi"',
      '],"handled_rpcs":[]}',
      '},"allow_unknown_rpc_passthrough":false,"icon_url":"https://cdn.example.com/icons/',
      "own a.png",
      '","cloud_transport_type":"WS"},',
    ]);
  });
});

describe("sizes, with the groups of the first data", () => {
  const answerParts = async (apps: readonly SnapshotApp[], count: number) => {
    const policy = await compilePolicy(await seedSnapshot(apps), "production", policyOptions(), () => undefined);
    const asked = Object.fromEntries(apps.slice(0, count).map(({ uuid }) => [uuid, {}]));
    return buildAnswer(policy, readPolicyTable(shortenedTable(asked, true)), requestId);
  };

  it.each([1, 10, 50])("%d apps take at most a quarter of the plain bytes", async (count) => {
    const parts = await answerParts(await seedApps(count), count);
    expect(gzipOf(parts).length).toBeLessThanOrEqual(plainOf(parts).length * 0.25);
  });

  it("50 apps with 8 to 15 groups each, no two alike, take at most a quarter", async () => {
    const snapshot = await seedSnapshot([]);
    const proprietary = snapshot.groups.production.map(({ name }) => name);
    const apps = Array.from({ length: 50 }, (_, at) =>
      anApp({
        uuid: seedUuid(at),
        versions: [
          anAppVersion({
            displayNames: [mixedText(12, at), mixedText(9, at + 100)],
            permissions: snapshot.permissions
              .filter((_permission, place) => (place * 7 + at * 13) % 31 === 0)
              .map(({ name }) => ({ key: name, hmiLevel: "HMI_FULL" as const })),
            groupGrants: proprietary.filter((_name, place) => (place * 5 + at) % 7 < 2),
          }),
        ],
      }),
    );
    const parts = await answerParts(apps, 50);
    const table = JSON.parse(plainOf(parts).toString()).data[0].policy_table;
    const lists: string[][] = apps.map(({ uuid }) => table.app_policies[uuid].groups);
    const counts = lists.map((groups) => groups.length);
    expect(Math.min(...counts)).toBeGreaterThanOrEqual(8);
    expect(Math.max(...counts)).toBeLessThanOrEqual(15);
    expect(new Set(lists.map((groups) => groups.join())).size).toBeGreaterThan(25);
    expect(gzipOf(parts).length).toBeLessThanOrEqual(plainOf(parts).length * 0.25);
  });

  it("other readers of gzip understand the answer", async () => {
    const parts = await answerParts(await seedApps(50), 50);
    const { status, stdout } = spawnSync("gzip", ["-dc"], { input: gzipOf(parts), maxBuffer: 2 ** 24 });
    expect(status).toBe(0);
    expect(stdout.equals(plainOf(parts))).toBe(true);
  });
});
