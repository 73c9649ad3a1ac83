import fc from "fast-check";
import mongoose from "mongoose";
import { beforeEach, expect, it, vi } from "vitest";
import { allModels } from "@/lib/platform/db/prepare";
import { log } from "@/lib/platform/log";
import { saveFirstData } from "@/lib/exchange/seed/first-data";
import { steps } from "@/lib/exchange/seed/steps";
import { MigrationModel } from "@/models/database/migration";
import { emptyDatabase, withDatabase } from "@/test/support/database";
import { runs } from "@/test/support/extent";
import { randomStep } from "@/test/support/random-walk";
import { behind } from "@/test/support/stored-records";
import { servedTables } from "@/test/support/served-tables";
import { take } from "@/test/support/take-step";

withDatabase();
beforeEach(async () => {
  vi.spyOn(log, "warn").mockImplementation(() => undefined);
  await emptyDatabase();
});
const options = { root: process.cwd(), publicBaseUrl: "http://localhost:3000", withExampleApps: true };

/** What an additive migration does at most: members, a collection and an index that this version does not know. */
async function changeAsLaterVersion(): Promise<void> {
  for (const model of allModels()) {
    const collection = behind(model);
    await collection.updateMany({}, { $set: { added_later: { by: ["a later version"], at: new Date(0) } } });
    await collection.createIndex({ added_later: 1 }, { name: "of a later version" }, {});
  }
  await mongoose.connection.collection("of_a_later_version").insertOne({ it: "is there" });
}

it("O7: serves the same tables from a database that the next version has added to", async () => {
  await saveFirstData(options);
  const before = await servedTables();
  await changeAsLaterVersion();
  expect(await servedTables()).toEqual(before);
});

it("O7: does with such a database whatever it does with its own, and leaves what it does not know", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(randomStep, { minLength: 1, maxLength: 12 }), async (walked) => {
      const outcomes: { accepted: boolean[]; tables: readonly string[] }[] = [];
      for (const isChanged of [false, true]) {
        await emptyDatabase();
        await saveFirstData(options);
        if (isChanged) await changeAsLaterVersion();
        const accepted: boolean[] = [];
        for (const step of walked) accepted.push(await take(step));
        const tables = await servedTables();
        // The time of the last publication of vehicle data.
        outcomes.push({ accepted, tables: tables.map((one) => one.replace(/"schema_version":"[\d.]+"/, "")) });
      }
      expect(outcomes[1]).toEqual(outcomes[0]);
      const kept = await mongoose.connection
        .collection("functional_groups")
        .countDocuments({ added_later: { $exists: true } });
      expect(kept).toBeGreaterThan(0);
    }),
    { numRuns: runs(5) },
  );
});

it("O7: a step has a number and a name of its own, is done once, and steps of a later version are left", async () => {
  expect(new Set(steps.map(({ number }) => number)).size).toBe(steps.length);
  expect(new Set(steps.map(({ name }) => name)).size).toBe(steps.length);
  const ran: string[] = [];
  const later = { number: 9999, name: "of a later version", run: () => Promise.resolve(void ran.push("later")) };
  expect(await saveFirstData(options, [...steps, later])).toContain("of a later version");
  // The old version starts again, then the new one.
  expect(await saveFirstData(options)).toEqual([]);
  expect(await saveFirstData(options, [...steps, later])).toEqual([]);
  expect(ran).toEqual(["later"]);
  expect(await MigrationModel.countDocuments({ _id: 9999 })).toBe(1);
});
