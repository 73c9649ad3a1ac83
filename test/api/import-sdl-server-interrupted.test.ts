import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import path from "node:path";
import { text } from "node:stream/consumers";
import { build } from "esbuild";
import fc from "fast-check";
import mongoose from "mongoose";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { findContent } from "@/lib/platform/backup/restore";
import { readDatabaseFacts, requireKnownSchema } from "@/lib/platform/db/connection/database-facts";
import { prepareDatabase } from "@/lib/platform/db/prepare";
import { watchDeadWriters } from "@/lib/platform/db/writers";
import { MigrationModel } from "@/models/database/migration";
import { ReleaseModel } from "@/models/release";
import { databaseUri, emptyDatabase, watchedUri, withDatabase } from "@/test/support/database";
import { daily, seed } from "@/test/support/extent";
import { movedDocuments, moveHere } from "@/test/support/migration";
import { postgresPrograms, startSdlDatabase, type TestPostgres } from "@/test/support/postgres";
import { defaultInstallation } from "@/test/support/sdl-server/installation";
import { manyApps } from "@/test/support/sdl-server/many-apps";
import { toSql } from "@/test/support/sdl-server/rows";

/** Beside the packages, which stay outside of the program. */
const folder = mkdtempSync(path.resolve("node_modules/moving-"));
const program = path.join(folder, "moving.mjs");
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const kills = 20;
const incomplete = 'run "open-policy import-sdl-server" again';

// Debian's package `postgresql`.
describe.skipIf(postgresPrograms === null)("X6a: import-sdl-server that is interrupted", () => {
  withDatabase();
  let postgres: TestPostgres;
  let whole: Awaited<ReturnType<typeof readAll>>;
  let changes = 0;
  beforeAll(async () => {
    postgres = await startSdlDatabase(toSql(await defaultInstallation()) + manyApps(170));
    await build({
      entryPoints: ["test/support/migration-process.ts"],
      outfile: program,
      ...{ bundle: true, platform: "node", format: "esm", target: "node20", packages: "external" },
    });
    const { code, sent } = await runChild(0);
    expect(code).toBe(0);
    changes = sent;
    whole = await readAll();
    expect(whole.apps).toHaveLength(510);
  });
  // Its last transaction is in the way of whoever removes the database.
  afterAll(async () => watchDeadWriters()());
  afterAll(() => postgres.stop());
  beforeEach(() => emptyDatabase());

  async function runChild(moment: number): Promise<{ code: number | null; signal: string | null; sent: number }> {
    const args = [
      "--conditions=react-server",
      program,
      String(moment),
      "import-sdl-server",
      "--postgres",
      postgres.url,
    ];
    const env = { ...process.env, MONGODB_URI: watchedUri(mongoose.connection.name), DATA_DIR: folder };
    const child = spawn(process.execPath, args, { env, stdio: ["ignore", "pipe", "inherit"] });
    const [printed, [code, signal]] = await Promise.all([text(child.stdout), once(child, "exit")]);
    return { code, signal, sent: Number(printed) };
  }

  async function readAll() {
    const { apps = [], ...others } = await movedDocuments();
    const steps = await MigrationModel.countDocuments();
    const releases = (await ReleaseModel.find({}, { _id: 1 }).lean()).map(({ _id }) => _id);
    return { apps, ...others, steps, releases };
  }

  async function findState(): Promise<"incomplete" | "empty" | "whole"> {
    const { documents, isHalfImported } = await findContent();
    if (!isHalfImported) {
      if (documents === 0) return "empty";
      expect(await readAll()).toEqual(whole);
      return "whole";
    }
    await expect(requireKnownSchema()).rejects.toThrow(incomplete);
    await expect(prepareDatabase()).rejects.toThrow(incomplete);
    await expect(readDatabaseFacts()).rejects.toThrow(incomplete);
    return "incomplete";
  }

  const moments = fc.sample(fc.integer({ min: 1, max: 1_000_000 }), { numRuns: kills, seed });
  daily.each(moments.map((one, index) => [index + 1, one / 1_000_000]))(
    "kill -9, number %i: nothing half is served, and a second run works",
    async (_number, share) => {
      const moment = Math.max(1, Math.round(share * changes));
      expect(await runChild(moment)).toMatchObject({ code: null, signal: "SIGKILL" });
      const state = await findState();
      const again = await moveHere(["--postgres", postgres.url]);
      if (state === "whole")
        expect(again).toMatchObject({ code: 1, err: expect.stringContaining("holds data already") });
      else expect([state, again.code, again.err]).toEqual([state, 0, expect.any(String)]);
      expect(await findState()).toBe("whole");
    },
  );

  it("stands behind the mark from its first document to the last of the first data", async () => {
    // The first change makes the mark; the last one is the commit, which may or may not get through.
    for (const moment of [2, changes - 1]) {
      await emptyDatabase();
      await runChild(moment);
      expect([moment, await findState()]).toEqual([moment, "incomplete"]);
    }
  });

  it("run twice: the second one is refused with a sentence, and changes nothing", async () => {
    expect((await moveHere(["--postgres", postgres.url])).code).toBe(0);
    const again = await moveHere(["--postgres", postgres.url]);
    expect([again.code, again.err]).toEqual([1, expect.stringMatching(/^The database holds data already: .*\n$/)]);
    expect(await findState()).toBe("whole");
  });

  it("two at the same time: one carries everything over, the other is refused", async () => {
    expect((await Promise.all([runChild(0), runChild(0)])).map(({ code }) => code).toSorted()).toEqual([0, 1]);
    expect(await findState()).toBe("whole");
  });

  it("against a stopped server, or into a stopped database: fails, stores nothing, and works when both run", async () => {
    const stopped = await moveHere(["--postgres", "postgres://test@127.0.0.1:1/postgres"]);
    expect([stopped.code, stopped.err]).toEqual([1, expect.stringMatching(/.{10}/)]);
    expect(await findState()).toBe("empty");
    const away = { MONGODB_URI: "mongodb://127.0.0.1:1/?replicaSet=rs0&serverSelectionTimeoutMS=1000" };
    const unreachable = await moveHere(["--postgres", postgres.url], away);
    expect([unreachable.code, unreachable.err]).toEqual([1, expect.stringMatching(/database/i)]);
    expect((await moveHere(["--postgres", postgres.url])).code).toBe(0);
    expect(await findState()).toBe("whole");
    expect(databaseUri()).not.toContain(":1/");
  });
});
