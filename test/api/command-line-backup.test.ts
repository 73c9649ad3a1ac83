import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import mongoose from "mongoose";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { requireRestorable } from "@/lib/platform/backup/restore";
import { inDataDir } from "@/test/support/backup-file";
import { runCommand } from "@/test/support/command-line";
import { firstData } from "@/test/support/content";
import { databaseUri, disconnected, withDatabase } from "@/test/support/database";
import { serveRoutes } from "@/test/support/served-routes";
import { servedTables } from "@/test/support/served-tables";
import { useSettings } from "@/test/support/settings";
import { temporaryFolder } from "@/test/support/temporary-folder";

withDatabase();
const folder = temporaryFolder();
const dataDir = path.join(folder, "data");
const file = path.join(folder, "a.gz");
let server = "";
beforeAll(async () => {
  server = await serveRoutes();
  await firstData();
});
beforeEach(() => {
  rmSync(folder, { recursive: true });
  mkdirSync(folder);
  useSettings({ DATA_DIR: path.join(folder, "spool") });
});

const alone = (args: readonly string[], environment: Readonly<Record<string, string>> = { DATA_DIR: dataDir }) =>
  disconnected(() => runCommand(args, environment));

describe("X11 and X4: backup and restore on the command line", () => {
  it("asks a server, and brings the answer into an embedded database that is then backed up by itself", async () => {
    const tables = await servedTables();
    const made = await runCommand(["backup", file, "--server", server]);
    expect([made.code, made.err]).toEqual([0, ""]);
    expect(made.out).toMatch(/a\.gz: \d+ documents, revision \d+, of 2/);
    const restored = await alone(["restore", file, "--json"]);
    expect([restored.code, JSON.parse(restored.out)]).toMatchObject([0, { before: null }]);
    expect(restored.err).toMatch(/\rdocuments \d+ of \d+\n$/);
    const again = path.join(folder, "b.gz");
    expect((await alone(["backup", again])).code).toBe(0);
    const [first, second] = [await requireRestorable(file), await requireRestorable(again)];
    const { audit_events: events = 0, ...others } = first.collections;
    // The restore is an event, and so is sealing the trail with the key of this folder.
    expect(second.collections).toEqual({ ...others, audit_events: events + 2 });
    await inDataDir(dataDir, async () => expect(await servedTables()).toEqual(tables));
  });

  it("keeps what was there: --replace is needed, and tells where it is", async () => {
    await runCommand(["backup", file, "--server", server]);
    await alone(["restore", file]);
    const refused = await alone(["restore", file]);
    expect([refused.code, refused.out]).toEqual([1, ""]);
    expect(refused.err).toContain("holds data already: --replace");
    const replaced = await alone(["restore", file, "--replace"]);
    expect(replaced.out).toContain(`What was there before is in ${path.join(dataDir, "database.replaced-1970")}`);
  });

  it("restores into MongoDB, and keeps its content as a backup beside the file", async () => {
    await runCommand(["backup", file, "--server", server]);
    const tables = await servedTables();
    const environment = { MONGODB_URI: databaseUri(mongoose.connection.name), DATA_DIR: dataDir };
    const refused = await alone(["restore", file], environment);
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining("--replace") as string]);
    const replaced = await alone(["restore", file, "--replace", "--json"], environment);
    expect([replaced.code, JSON.parse(replaced.out)]).toMatchObject([
      0,
      { before: `${file}.replaced-1970-01-01T00-00-00-000Z` },
    ]);
    await requireRestorable(`${file}.replaced-1970-01-01T00-00-00-000Z`);
    expect(await servedTables()).toEqual(tables);
  });

  it("refuses with a sentence: a file that exists, one that is no backup, a server that is away (4) or wants a password", async () => {
    writeFileSync(file, "not a backup");
    const sentences = [
      [await runCommand(["backup", file, "--server", server]), "exists already"],
      [await alone(["restore", file]), "not compressed with gzip"],
      [await runCommand(["backup", `${file}2`, "--server", "http://127.0.0.1:1"]), "cannot be reached"],
    ] as const;
    useSettings({ AUTH_TYPE: "basic", BASIC_AUTH_PASSWORD: "open sesame", DATA_DIR: path.join(folder, "spool") });
    const locked = await runCommand(["backup", `${file}2`], { OPEN_POLICY_URL: server });
    const opened = { OPEN_POLICY_URL: server, OPEN_POLICY_PASSWORD: "open sesame" };
    expect((await runCommand(["backup", `${file}3`], opened)).code).toBe(0);
    for (const [{ code, err }, sentence] of [...sentences, [locked, "Password missing or wrong"] as const]) {
      const isAway = sentence === "cannot be reached";
      expect([code, err]).toEqual([isAway ? 4 : 1, expect.stringContaining(sentence) as string]);
    }
    expect(readFileSync(file, "utf8")).toBe("not a backup");
    expect(readdirSync(folder).filter((name) => name.startsWith("a.gz2"))).toEqual([]);
  });
});
