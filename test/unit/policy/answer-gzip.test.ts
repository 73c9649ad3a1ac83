import { spawnSync } from "node:child_process";
import { constants, deflateRawSync, gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { buildAnswer, joinPlain, type AnswerParts } from "@/lib/policy/answer/answer";
import { joinGzip } from "@/lib/policy/answer/answer-gzip";
import { compilePolicy } from "@/lib/policy/table/compiled-policy";
import { Fragment } from "@/lib/policy/gzip/fragment";
import { readPolicyTable } from "@/lib/policy/answer/policy-request";
import { requestId, shortenedTable } from "@/test/support/answers";
import { policyOptions } from "@/test/support/builders";
import { distinctUuid } from "@/bench/distinct-apps";
import { distinctSnapshot } from "@/bench/distinct-policy";

const plainOf = (parts: AnswerParts) => Buffer.concat(joinPlain(parts).buffers);

function gzipOf(parts: AnswerParts): Buffer {
  const { buffers, length } = joinGzip(parts);
  const gzip = Buffer.concat(buffers);
  expect(gzip.length).toBe(length);
  expect(gunzipSync(gzip).equals(plainOf(parts))).toBe(true);
  return gzip;
}

function mixedText(length: number, seed: number): string {
  const alphabet = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
  let state = seed * 2 + 1;
  return Array.from({ length }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return alphabet[(state >>> 16) % alphabet.length] ?? "";
  }).join("");
}

const entryText = (name: string, groups: readonly string[]) =>
  `${JSON.stringify(name)}:{"AppHMIType":["MEDIA"],"keep_context":true,"groups":${JSON.stringify(groups)}},`;

const ahead = (text: string) => new Fragment(text).deflateAhead();
const policy = await compilePolicy(await distinctSnapshot(400), "production", policyOptions(), () => undefined);
const partsFor = (count: number, sent: unknown = {}) => {
  const asked = Object.fromEntries(Array.from({ length: count }, (_, at) => [distinctUuid(at), sent]));
  return buildAnswer(policy, readPolicyTable(shortenedTable(asked, true)), requestId);
};

describe("N16: an answer is one gzip member of ready pieces", () => {
  it.each([19_999, 20_000, 20_001, 65_535, 65_536, 262_144, 262_145, 1_000_000])(
    "N16: entries of %d bytes come out, compressible or not",
    async (length) => {
      const [opening, closing] = [await ahead("opening"), await ahead("closing")];
      gzipOf(["start", opening, new Fragment("e".repeat(length)), closing]);
      gzipOf([opening, mixedText(length - 3, length), new Fragment("abc"), closing]);
    },
  );

  it("N16: pieces are the ready ones, and what comes first and last is known by heart", async () => {
    const [opening, closing] = [await ahead('{"opening":['), await ahead("]}")];
    const entry = new Fragment(entryText("app", ["Base"]));
    const gzip = gzipOf(["text", opening, entry, closing]);
    const expected = Buffer.concat([
      Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]),
      Buffer.from([0, 4, 0, 0xfb, 0xff]),
      Buffer.from("text"),
      ...[opening.deflated, entry.deflated, closing.deflated],
      Buffer.from([1, 0, 0, 0xff, 0xff]),
    ]);
    expect(gzip.subarray(0, -8).equals(expected)).toBe(true);
  });

  it("N16: entries above 20 kB together are compressed together at level 1", async () => {
    const [opening, closing] = [await ahead("{"), await ahead("}")];
    const entries = Array.from({ length: 120 }, (_, at) =>
      entryText(mixedText(30, at), [`Group-${at}`, mixedText(99, at)]),
    );
    const text = entries.join("");
    expect(text.length).toBeGreaterThan(20_000);
    const together = deflateRawSync(text, { level: 1, finishFlush: constants.Z_FULL_FLUSH });
    const asFragments = entries.map((entry) => new Fragment(entry));
    expect(gzipOf([opening, ...asFragments, closing]).includes(together)).toBe(true);
    const few = asFragments.slice(0, 3);
    expect(gzipOf([opening, ...few, closing]).includes(Buffer.concat(few.map(({ deflated }) => deflated)))).toBe(true);
  });

  it("N16: what only made-up requests are large by is stored: a token that cannot be compressed costs a copy", () => {
    const token = mixedText(60_000, 1);
    expect(gzipOf(partsFor(10, { auth_token: token })).includes(token.slice(0, 10_000))).toBe(true);
    expect(gzipOf(partsFor(2, { auth_token: token })).includes(token.slice(0, 10_000))).toBe(false);
  });

  it("N16: members that a request sends go with the ready pieces", () => {
    const text = plainOf(partsFor(3, { enabled: true, auth_token: "a token" })).toString();
    expect(text.match(/"auth_token":"a token"/g)).toHaveLength(3);
    gzipOf(partsFor(3, { enabled: true, auth_token: "a token" }));
  });

  it("N16: one answer leaves nothing behind for the next", () => {
    const made = [1, 10, 60, 1, 60, 10].map((count) => {
      const parts = partsFor(count);
      return { parts, buffers: joinGzip(parts).buffers };
    });
    for (const { parts, buffers } of made) {
      expect(gunzipSync(Buffer.concat(buffers)).equals(plainOf(parts))).toBe(true);
    }
  });
});

describe("N16: other readers of gzip understand the answer", () => {
  const counts = [0, 1, 10, 50, 400];
  const hasPython = spawnSync("python3", ["--version"]).status === 0;

  it.skipIf(!(spawnSync("gzip", ["--version"]).status === 0)).each(counts)("N16: gzip -dc reads %d apps", (count) => {
    const parts = partsFor(count);
    const { status, stdout } = spawnSync("gzip", ["-dc"], { input: gzipOf(parts), maxBuffer: 2 ** 24 });
    expect(status).toBe(0);
    expect(stdout.equals(plainOf(parts))).toBe(true);
  });

  // One member to its end: what follows a member is handed out by this decoder, and a wrong checksum is an error.
  const program = [
    "import sys, zlib, gzip",
    "sent = sys.stdin.buffer.read()",
    "one = zlib.decompressobj(wbits=31)",
    "text = one.decompress(sent) + one.flush()",
    "assert one.eof and one.unused_data == b'' and gzip.decompress(sent) == text",
    "sys.stdout.buffer.write(text)",
  ].join("\n");

  it.skipIf(!hasPython).each(counts)("N16: Python reads %d apps as one member and nothing else", (count) => {
    const parts = partsFor(count);
    const input = gzipOf(parts);
    const { status, stdout } = spawnSync("python3", ["-c", program], { input, maxBuffer: 2 ** 24 });
    expect(status).toBe(0);
    expect(stdout.equals(plainOf(parts))).toBe(true);
    // The last byte of the checksum.
    const broken = Buffer.from(input);
    broken[input.length - 5] = (broken[input.length - 5] ?? 0) ^ 1;
    expect(spawnSync("python3", ["-c", program], { input: broken }).status).not.toBe(0);
  });
});

describe("N16: sizes, with the first data and apps of which no two are alike", () => {
  it("N17: the apps differ in names, icons and groups", () => {
    const table = JSON.parse(plainOf(partsFor(400)).toString()).data[0].policy_table;
    const entries: any[] = Array.from({ length: 400 }, (_, at) => table.app_policies[distinctUuid(at)]);
    const different = (of: (entry: any) => unknown) => new Set(entries.map((entry) => JSON.stringify(of(entry)))).size;
    expect(different((entry) => entry.nicknames)).toBe(400);
    expect(different((entry) => entry.icon_url)).toBeGreaterThan(375);
    expect(different((entry) => entry.groups)).toBeGreaterThan(150);
  });

  it.each([1, 10, 50, 100])("N16: %d apps take at most a quarter of the plain bytes", (count) => {
    const parts = partsFor(count);
    expect(gzipOf(parts).length).toBeLessThanOrEqual(plainOf(parts).length * 0.25);
  });

  it("N16: 50 apps take less than what 10 take joined and the 40 others one by one", () => {
    const [ten, fifty] = [gzipOf(partsFor(10)).length, gzipOf(partsFor(50)).length];
    expect(fifty - ten).toBeLessThan(40 * 200);
  });
});
