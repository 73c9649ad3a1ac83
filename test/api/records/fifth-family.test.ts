import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { build } from "esbuild";
import mongoose from "mongoose";
import { afterAll, beforeAll, expect, it } from "vitest";
import { emptyDatabase, watchedUri, withDatabase } from "@/test/support/database";
import { publishFirst } from "@/test/support/releases";

/*
 * A server with a family that it does not have. It is a process of its own: which families there are is known from the
 * start. What sounds can do without another line is what every family can do.
 */
withDatabase();
const folder = mkdtempSync(path.resolve("node_modules/fifth-family-"));
const program = path.join(folder, "program.mjs");
let answers: Record<string, any> = {};

beforeAll(async () => {
  await emptyDatabase();
  await publishFirst();
  await build({
    entryPoints: ["test/support/fifth-family/process.ts"],
    outfile: program,
    ...{ bundle: true, platform: "node", format: "esm", target: "node20", packages: "external" },
  });
  const args = ["--conditions=react-server", program, watchedUri(), mongoose.connection.name];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  answers = JSON.parse(stdout);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const gong = { family: "sound", key: "gong" };

it("a family of its own: is listed page by page, searched, named and counted", () => {
  expect(answers.list).toEqual([["Bell"], ["gong"]]);
  expect(answers.names).toEqual(["Bell", "gong"]);
  expect(answers.search).toContainEqual({ family: "sound", items: [{ key: "Bell" }], total: 1 });
  expect(answers.counters.unpublished_changes).toBe(1);
});

it("a family of its own: refuses an edit that did not start from the newest record", () => {
  expect(answers.conflict).toBe("The sound gong was changed meanwhile; base_id is not its newest record");
});

it("a family of its own: is reviewed and published, as others are", () => {
  expect(answers.review.items).toMatchObject([{ ...gong, title: "gong", change: "add", summary: "first version" }]);
  expect(answers.published.release).toMatchObject({ number: 2, kind: "release", items: [{ ...gong, change: "add" }] });
  expect(answers.waiting).toEqual([1, expect.arrayContaining([["Bell", 2]])]);
  expect(answers.deleted).toEqual([[["gong", 1]], [["gong", 1]], expect.any(Number)]);
  expect(answers.returned.release).toMatchObject({ kind: "return", items: [{ ...gong, change: "delete" }] });
  expect(answers.afterReturn).toEqual([]);
});

it("a family of its own: tells its history, and brings an older version back", () => {
  expect(answers.restored).toEqual({ id: expect.any(Number) });
  const { versions } = answers.history;
  expect(versions.map((one: any) => [one.status, one.release, one.summary])).toEqual([
    ["STAGING", null, "volume 5 → 1"],
    ["STAGING", null, "volume 1 → 5"],
    ["PRODUCTION", 2, "published"],
    ["STAGING", null, "first version"],
  ]);
  expect(versions[0].author).toMatchObject({ actor: "admin" });
});

it("a family of its own: is exported, imported and kept as files", () => {
  // What staging holds already is no change.
  expect(answers.imported.items).toMatchObject([{ family: "sound", key: "Bell", change: "add" }]);
  expect(answers.exported).toEqual([
    { name: "Bell", volume: 2 },
    { name: "gong", volume: 1 },
  ]);
  expect(answers.files).toEqual(["sounds/Bell.yaml", "sounds/gong.yaml"]);
  expect(answers.table).toEqual([
    "sounds-staging-1970-01-01.csv",
    expect.stringMatching(/name,volume\r\n(Bell,2\r\n|gong,1\r\n){2}$/),
  ]);
});

it("a family of its own: is in the activity, and has its page", () => {
  const actions = ["sounds.promote", "sounds.save"];
  expect(answers.activity.toSorted()).toEqual(expect.arrayContaining(actions));
  expect(answers.addresses).toEqual(["/sounds/gong", "/sounds/gong"]);
});
