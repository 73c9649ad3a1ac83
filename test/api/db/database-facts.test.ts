import mongoose from "mongoose";
import { expect, it } from "vitest";
import {
  raiseSchemaVersion,
  readDatabaseFacts,
  requireKnownSchema,
  schemaVersion,
} from "@/lib/platform/db/connection/database-facts";
import { prepareDatabase } from "@/lib/platform/db/prepare";
import { readRevision } from "@/lib/platform/db/revision";
import { saveFirstData } from "@/lib/exchange/seed/first-data";
import { DatabaseFactsModel } from "@/models/database/database-facts";
import { MigrationModel } from "@/models/database/migration";
import { withEmptyDatabase } from "@/test/support/database";

withEmptyDatabase();

const options = { root: process.cwd(), publicBaseUrl: "http://localhost:3000", withExampleApps: false };
const facts = () => DatabaseFactsModel.findOne().lean();

it("finding G4: a database gets an id of its own, once", async () => {
  const id = (await readDatabaseFacts()).databaseId;
  expect(id).toMatch(/^[0-9a-f-]{36}$/);
  await Promise.all([prepareDatabase(), prepareDatabase()]);
  expect((await readDatabaseFacts()).databaseId).toBe(id);
  await DatabaseFactsModel.deleteMany({});
  await prepareDatabase();
  expect((await readDatabaseFacts()).databaseId).not.toBe(id);
});

it("finding G8: the schema version is raised when the steps are done, and never lowered", async () => {
  expect((await facts())?.schemaVersion).toBe(1);
  await saveFirstData(options, []);
  expect((await facts())?.schemaVersion).toBe(schemaVersion);
  await raiseSchemaVersion(schemaVersion + 3);
  await raiseSchemaVersion();
  expect((await facts())?.schemaVersion).toBe(schemaVersion + 3);
});

it("finding G8: a database of a newer version is refused with a sentence, before anything is written", async () => {
  await requireKnownSchema();
  await DatabaseFactsModel.updateOne({}, { schemaVersion: schemaVersion + 1 });
  await mongoose.connection.dropCollection("feedback");
  const before = await readRevision();
  await expect(saveFirstData(options)).rejects.toMatchObject({
    name: "DatabaseRefused",
    message: expect.stringMatching(/newer version of this server .*schema version is \d+.*start that version/),
  });
  expect(await MigrationModel.countDocuments()).toBe(0);
  expect(await readRevision()).toBe(before);
  expect((await mongoose.connection.listCollections()).map(({ name }) => name)).not.toContain("feedback");
  await DatabaseFactsModel.updateOne({}, { schemaVersion });
});
