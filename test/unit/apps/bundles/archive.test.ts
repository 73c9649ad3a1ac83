import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { measureArchive } from "@/lib/apps/bundles/archive";
import { runs } from "@/test/support/extent";
import { buildZip, type ZipEntry, type ZipOptions } from "@/test/support/zip";
import { temporaryFolder } from "@/test/support/temporary-folder";

const folder = temporaryFolder();
const never = new AbortController().signal;

let count = 0;
function measure(bytes: Buffer, signal = never): Promise<number> {
  const file = path.join(folder, `${(count += 1)}.zip`);
  writeFileSync(file, bytes);
  return measureArchive(file, signal);
}
const measureZip = (entries: readonly ZipEntry[], options?: ZipOptions) => measure(buildZip(entries, options));
const damaged = "The bundle is not a zip archive, or it is damaged";
const whole = [
  { name: "www/" },
  { name: "www/index.html", content: "x".repeat(5000) },
  { name: "manifest.js", content: "y".repeat(20) },
];

const madeByPython = [
  "UEsDBBQAAAAAAAAAIQAAAAAAAAAAAAAAAAAHAAAAZm9sZGVyL1BLAwQUAAAICAANOnVd8QyIXgwAAADSBAAADQAAAGZvbGRlci/D",
  "pC50eHSrqhoFo2AUjILhAgBQSwMELQAAAAgAAAAhABUC15z//////////wcAFABiaWcudHh0AQAQAOEQAAAAAAAAFgAAAAAAAADt",
  "wQENAAAAwqBM71/OHG5AAQAAAJwbUEsBAhQDFAAAAAAAAAAhAAAAAAAAAAAAAAAAAAcAAAAAAAAAAAAAAIABAAAAAGZvbGRlci9Q",
  "SwECFAMUAAAICAANOnVd8QyIXgwAAADSBAAADQAAAAAAAAAAAAAAgAElAAAAZm9sZGVyL8OkLnR4dFBLAQItAy0AAAAIAAAAIQAV",
  "AtecFgAAAOEQAAAHAAAAAAAAAAAAAACAAVwAAABiaWcudHh0UEsFBgAAAAADAAMApQAAAKsAAAAAAA==",
].join("");
const madeByInfoZip = [
  "UEsDBAoAAAAAAA06dV0AAAAAAAAAAAAAAAAHABwAZm9sZGVyL1VUCQADSkUBa0pFAWt1eAsAAQQAAAAABAAAAABQSwMECgAAAAAA",
  "DTp1XQAAAAAAAAAAAAAAAAsAHABmb2xkZXIvc3ViL1VUCQADSkUBa0pFAWt1eAsAAQQAAAAABAAAAABQSwMEFAAAAAgADTp1XdRA",
  "ZvwKAAAACQMAABAAHABmb2xkZXIvc3ViL2EudHh0VVQJAANKRQFrSkUBa3V4CwABBAAAAAAEAAAAAEtMHAWjYBQkAgBQSwMEFAAA",
  "AAgADTp1XRUOGSIHAAAATQEAAAUAHABiLnR4dFVUCQADSkUBa0pFAWt1eAsAAQQAAAAABAAAAABLShoFVAMAUEsBAh4DCgAAAAAA",
  "DTp1XQAAAAAAAAAAAAAAAAcAGAAAAAAAAAAQAO1BAAAAAGZvbGRlci9VVAUAA0pFAWt1eAsAAQQAAAAABAAAAABQSwECHgMKAAAA",
  "AAANOnVdAAAAAAAAAAAAAAAACwAYAAAAAAAAABAA7UFBAAAAZm9sZGVyL3N1Yi9VVAUAA0pFAWt1eAsAAQQAAAAABAAAAABQSwEC",
  "HgMUAAAACAANOnVd1EBm/AoAAAAJAwAAEAAYAAAAAAABAAAApIGGAAAAZm9sZGVyL3N1Yi9hLnR4dFVUBQADSkUBa3V4CwABBAAA",
  "AAAEAAAAAFBLAQIeAxQAAAAIAA06dV0VDhkiBwAAAE0BAAAFABgAAAAAAAEAAACkgdoAAABiLnR4dFVUBQADSkUBa3V4CwABBAAA",
  "AAAEAAAAAFBLBQYAAAAABAAEAD8BAAAgAQAAAAA=",
].join("");

describe("the decompressed size (directory.md section 8)", () => {
  it("is the sum of the sizes of all files, folders not counted", async () =>
    expect(await measureZip(whole)).toBe(5020));

  it("counts no folder, whatever size its entry has", async () =>
    expect(
      await measureZip([
        { name: "a/", declaredSize: 4096 },
        { name: "b", content: "1" },
      ]),
    ).toBe(1));

  it.each([
    ["Python's zipfile, one file with zip64 fields", 5555, madeByPython],
    ["Info-ZIP", 1110, madeByInfoZip],
  ])("is that of an archive made by %s", async (_, size, base64) => {
    expect(await measure(Buffer.from(base64, "base64"))).toBe(size);
  });

  it("is read from zip64 fields", async () => expect(await measureZip(whole, { zip64: true })).toBe(5020));

  it("may be up to 2 GiB, as the table declares it", async () => {
    const half = 1024 ** 3;
    const two = [
      { name: "a", declaredSize: half },
      { name: "b", declaredSize: half },
    ];
    expect(await measureZip(two)).toBe(2 * half);
    await expect(measureZip([...two, { name: "c", content: "1" }])).rejects.toThrow("larger than 2 GiB");
    await expect(measureZip([{ name: "a", declaredSize: 2 ** 40 }], { zip64: true })).rejects.toThrow("2 GiB");
  });

  it("does not exist for an archive without content", async () => {
    for (const entries of [[], [{ name: "a/" }], [{ name: "empty" }]]) {
      await expect(measureZip(entries)).rejects.toThrow("The bundle holds no files, or only empty ones");
    }
  });
});

describe("archives that are not what they seem", () => {
  it("refuses more than 100,000 entries before it reads them", () =>
    expect(measureZip(whole, { zip64: true, entryCount: 100_001 })).rejects.toThrow("more than 100000 entries"));

  it.each([
    ["nothing", Buffer.alloc(0)],
    ["one byte", Buffer.from("P")],
    ["text", Buffer.from("<html>not found</html>")],
    ["the first half", buildZip(whole).subarray(0, 60)],
    ["without its last byte", buildZip(whole).subarray(0, -1)],
    ["with bytes behind it", Buffer.concat([buildZip(whole), Buffer.from("more")])],
    ["more entries than there are", buildZip(whole, { entryCount: 4 })],
    ["a gzip file", Buffer.from("1f8b0800000000000003", "hex")],
  ])("refuses a damaged one: %s", (_, bytes) => expect(measure(bytes)).rejects.toThrow(damaged));

  it.each([
    { zip64EndOffset: 2n ** 64n - 1n },
    { zip64EndOffset: 2n ** 53n },
    { zip64TableOffset: 2n ** 64n - 1n },
    { zip64TableOffset: 2n ** 63n },
    { zip64TableOffset: 2n ** 31n },
  ])("survives places beyond all files: %o", async (options) => {
    await expect(measureZip(whole, { zip64: true, ...options })).rejects.toThrow(damaged);
  });

  it.each(["../evil", "a/../../evil", "/etc/passwd", "C:/x", "..\\evil"])("refuses the name %s", async (name) => {
    await expect(measureZip([{ name, content: "1" }])).rejects.toThrow(damaged);
  });

  it("survives any change of any bytes", async () => {
    const bytes = [buildZip(whole), buildZip(whole, { zip64: true })];
    const change = fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 6 });
    const property = fc.asyncProperty(fc.constantFrom(...bytes), change, async (archive, changes) => {
      const copy = Buffer.from(archive);
      // Most of what is looked at stands in the last third.
      for (const [place, value] of changes) copy[copy.length - 1 - (place % copy.length)] = value;
      const total = await measure(copy).catch((error: unknown) => error);
      if (typeof total === "number") expect(total).toBeGreaterThan(0);
      else expect(total).toMatchObject({ name: "BundleError", message: expect.stringMatching(/^The (bundle|files)/) });
    });
    await fc.assert(property, { numRuns: runs(400) });
  });

  it("gives up when there is no time left", () =>
    expect(measure(buildZip(whole), AbortSignal.abort())).rejects.toThrow("no time left"));

  it("leaves the file as it was", async () => {
    const file = path.join(folder, "kept.zip");
    writeFileSync(file, buildZip(whole));
    await measureArchive(file, never);
    expect(readFileSync(file).equals(buildZip(whole))).toBe(true);
  });
});
