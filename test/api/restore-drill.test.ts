import { createHash } from "node:crypto";
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { beforeAll, describe, expect, it } from "vitest";
import { startServer } from "@/embedded/server";
import { writeBackupFile } from "@/lib/platform/backup/backup-file";
import { tableDigester } from "@/lib/policy/table-digests";
import { ApplicationModel } from "@/models/application";
import { runCommand } from "@/test/support/command-line";
import { content, firstData } from "@/test/support/content";
import { disconnected, withDatabase } from "@/test/support/database";
import { readSettings } from "@/test/support/settings";
import { temporaryFolder } from "@/test/support/temporary-folder";

withDatabase();
const folder = temporaryFolder();
const dataDir = path.join(folder, "data");
const scratch = path.join(dataDir, "database.drill");
const [file, damaged] = [path.join(folder, "a.gz"), path.join(folder, "b.gz")];
const drill = (args: readonly string[], settings: Readonly<Record<string, string>> = {}) =>
  disconnected(() => runCommand(["restore-drill", ...args], { DATA_DIR: dataDir, ...settings }));

let uuid = "";
beforeAll(async () => {
  await firstData();
  await writeBackupFile(file, undefined, tableDigester(readSettings({ PUBLIC_BASE_URL: "https://cars.example.com" })));
  uuid = (await ApplicationModel.findOne({ approvalStatus: "ACCEPTED" }).orFail()).uuid;
});

describe("X12a: a restore drill", () => {
  it("shows that a backup gives vehicles the same bytes, wherever it runs, and leaves nothing behind", async () => {
    const before = await content();
    const backups = path.join(folder, "backups");
    const newest = path.join(backups, "open-policy-2026-05-02-01-00-07.backup.gz");
    expect(await drill([], { BACKUP_DIR: backups })).toMatchObject({
      code: 1,
      err: expect.stringContaining("There is no nightly backup"),
    });
    mkdirSync(backups);
    copyFileSync(file, newest);
    // What a killed drill has left.
    await (await startServer({ dataDir: scratch })).close();
    const { code, out } = await drill([], { BACKUP_DIR: backups });
    expect([code, out]).toEqual([0, expect.stringMatching(/6 policy tables with \d\d apps are byte by byte those of/)]);
    expect(existsSync(scratch)).toBe(false);
    expect(await content()).toEqual(before);
  });

  it("doesn't touch the scratch database of another drill", async () => {
    const other = await startServer({ dataDir: scratch });
    expect(await drill([file])).toMatchObject({ code: 1, err: expect.stringMatching(/in use by process \d+/) });
    expect(existsSync(scratch)).toBe(true);
    await other.close();
  });

  const damages: readonly (readonly [what: string, damage: Damage, told: () => RegExp])[] = [
    ["an app lost", (line) => (line.includes(`"uuid":"${uuid}"`) ? null : line), () => RegExp(`app ${uuid}: missing`)],
    [
      "a block lost",
      (line) => line.replace('"isBlacklisted":false', '"isBlacklisted":true'),
      () => /app \S+: different/,
    ],
    ["a group lost", (line, of) => (isLocation(line, of) ? null : line), () => /group Location-1: missing/],
    [
      "a level changed",
      (line, of) => (isLocation(line, of) ? line.replace("FULL", "NONE") : line),
      () =>
        /: 8 differences\ngroup Location-1: different\napp \S+: different\ntable of production, long ids: different\n/,
    ],
  ];
  it(`names what differs: ${damages.map(([what]) => what).join(", ")}`, async () => {
    for (const [what, damage, told] of damages) {
      rewrite(damage);
      const { code, err } = await drill([damaged]);
      expect([what, code, err]).toEqual([what, 1, expect.stringMatching(told())]);
      expect(existsSync(scratch)).toBe(false);
    }
  });

  it("refuses a truncated file, and says that an earlier backup cannot be compared", async () => {
    writeFileSync(damaged, readFileSync(file).subarray(0, -2000));
    expect(await drill([damaged])).toMatchObject({ code: 1, err: expect.stringContaining("ends too early") });
    rewrite(
      (line) => line,
      ({ tables: _, ...header }) => header,
    );
    expect(await drill([damaged])).toMatchObject({ code: 0, out: expect.stringContaining("but not compared") });
  });
});

type Damage = (line: string, collection: string) => string | null;
const isLocation = (line: string, collection: string) =>
  collection === "functional_groups" && line.includes('"name":"Location-1"');

/** A backup that is whole by its counts and its SHA-256, as one of a server that lost something would be. */
function rewrite(damage: Damage, ofHeader: (header: any) => object = (header) => header): void {
  const [first = "", ...lines] = gunzipSync(readFileSync(file)).toString("utf8").trimEnd().split("\n");
  const collections: Record<string, number> = {};
  let section = "";
  const kept = lines.slice(0, -1).flatMap((line) => {
    const { collection } = JSON.parse(line);
    if (typeof collection === "string") collections[(section = collection)] = 0;
    const changed = typeof collection === "string" ? line : damage(line, section);
    if (changed === null) return [];
    if (typeof collection !== "string") collections[section] = (collections[section] ?? 0) + 1;
    return [changed];
  });
  const header = JSON.stringify(ofHeader({ ...JSON.parse(first), collections }));
  const text = [header, ...kept].map((line) => `${line}\n`).join("");
  const sha256 = createHash("sha256").update(text).digest("hex");
  writeFileSync(damaged, gzipSync(`${text}${JSON.stringify({ end: true, collections, sha256 })}\n`));
}
