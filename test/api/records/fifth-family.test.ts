import mongoose, { type Model, Schema } from "mongoose";
import { beforeEach, expect, it } from "vitest";
import { recordHistory } from "@/lib/content/records/history";
import { exportRecords, type ExportForm } from "@/lib/content/records/export";
import { promoteRecords, saveAgain, saveRecords } from "@/lib/content/records/commands";
import { numberEach, type RecordFamily, type RecordSource } from "@/lib/content/records/family";
import { countUnpromoted, findLastContent, listNames, listRecords, loadVisible } from "@/lib/content/records/queries";
import type { VersionedRecord } from "@/lib/content/records/views";
import { byLowerCase } from "@/lib/labels/order";
import { emptyDatabase, testContext, withDatabase } from "@/test/support/database";

withDatabase();
beforeEach(emptyDatabase);

/*
 * A family that the server does not have, all of it: sound signals. What they can do without another line is what every
 * family can do.
 */
interface SoundContent {
  readonly name: string;
  readonly isDeleted: boolean;
  readonly volume: number;
}
interface SoundRecord extends SoundContent, VersionedRecord {}
interface StoredSound extends Omit<SoundRecord, "id"> {
  readonly _id: number;
  readonly release?: number;
}
const schema = new Schema<StoredSound>(
  { _id: Number, name: String, status: String, isDeleted: Boolean, release: Number, volume: Number },
  { collection: "sounds", strict: "throw", timestamps: true },
);
const SoundModel: Model<StoredSound> = mongoose.model<StoredSound>("Sound", schema);

const soundSource: RecordSource<SoundRecord> = {
  model: SoundModel,
  keyField: "name",
  load: async (ids, session) => {
    const found = await SoundModel.find({ _id: { $in: ids } })
      .session(session ?? null)
      .lean();
    return found.map(({ _id: id, name, status, isDeleted, volume }) => ({ id, name, status, isDeleted, volume }));
  },
  keyOf: ({ name }) => name,
  compareKeys: byLowerCase,
  searchTexts: ({ name }) => [name],
};
const soundFamily: RecordFamily<SoundContent, SoundRecord> = {
  ...soundSource,
  model: SoundModel,
  // Any will do.
  item: "vehicle_data",
  area: "sounds",
  targetOf: ({ name }) => `sound:${name}`,
  subjectOf: ({ name }) => `The sound ${name}`,
  toJson: (record) => Promise.resolve(record),
  toBody: ({ name, isDeleted, volume }) => ({ name, is_deleted: isDeleted, volume }),
  // Any counter will do.
  number: (tx, sounds) => numberEach(tx, "missed_removals", sounds),
};
const soundFiles: ExportForm<SoundRecord> = {
  name: "sounds",
  member: "sounds",
  toBody: (record) => soundFamily.toBody(record),
  columns: ["name", "volume"],
  lines: ({ name, volume }) => [[name, volume]],
};

async function save(name: string, volume: number, baseId: number | null = null): Promise<number> {
  const content = { name, volume, isDeleted: false };
  const edits = [{ content, baseId, submitted: () => Promise.resolve(content) }];
  return (await saveRecords(soundFamily, edits, testContext)).records[0]?.id ?? 0;
}
const promote = () => promoteRecords([{ family: soundFamily }], { force: false }, testContext);
const shown = async (environment: "staging" | "production") =>
  (await loadVisible(soundSource, environment)).map(({ name, volume }) => [name, volume]);

it("a family of its own: is listed page by page, searched and named", async () => {
  for (const name of ["gong", "Bell", "chime"]) await save(name, 1);
  const first = await listRecords(soundSource, { environment: "staging", sort: "name", limit: 2 });
  expect(first.items.map(({ name }) => name)).toEqual(["Bell", "chime"]);
  const cursor = first.nextCursor ?? undefined;
  const rest = await listRecords(soundSource, { environment: "staging", sort: "name", limit: 2, cursor });
  expect(rest).toMatchObject({ items: [{ name: "gong" }], nextCursor: null });
  const found = await listRecords(soundSource, { environment: "staging", sort: "-id", search: "HI" });
  expect(found.items.map(({ name }) => name)).toEqual(["chime"]);
  expect(await listNames(soundSource)).toEqual(["Bell", "chime", "gong"]);
});

it("a family of its own: refuses an edit that did not start from the newest record, and tells both", async () => {
  const first = await save("gong", 1);
  await save("gong", 2, first);
  await expect(save("gong", 3, first)).rejects.toMatchObject({
    code: "conflict",
    message: "The sound gong was changed meanwhile; base_id is not its newest record",
    data: { current: { volume: 2 }, submitted: { volume: 3 } },
  });
});

it("a family of its own: reaches production when it is promoted, deletions included, and is restored", async () => {
  const first = await save("gong", 1);
  expect([await shown("production"), await countUnpromoted(soundSource)]).toEqual([[], 1]);
  await promote();
  expect([await shown("production"), await countUnpromoted(soundSource)]).toEqual([[["gong", 1]], 0]);
  await saveAgain(soundFamily, first, { baseId: null, isDeleted: true }, testContext);
  expect(await shown("staging")).toEqual([["gong", 1]]);
  await promote();
  expect([await shown("staging"), await shown("production")]).toEqual([[], []]);
  const last = (await findLastContent(soundSource, "gong")) ?? 0;
  await saveAgain(soundFamily, last, { baseId: 0, isDeleted: false }, testContext);
  expect([await shown("staging"), await shown("production")]).toEqual([[["gong", 1]], []]);
});

it("a family of its own: undoes a save, and tells its history with who, when and what", async () => {
  const first = await save("gong", 1);
  await promote();
  await save("gong", 5);
  await saveAgain(soundFamily, first, { baseId: null }, { ...testContext, displayName: "Ada" });
  await save("bell", 9);
  const { entries: history, nextCursor } = await recordHistory(soundFamily, "gong", { limit: 10 });
  expect(history.map(({ id, status, author, summary }) => [id, status, author?.action, summary])).toEqual([
    [4, "STAGING", "sounds.save", "volume 5 → 1"],
    [3, "STAGING", "sounds.save", "volume 1 → 5"],
    [2, "PRODUCTION", "sounds.promote", "published"],
    [1, "STAGING", "sounds.save", "first version"],
  ]);
  expect(history[0]).toMatchObject({ release: null, author: { displayName: "Ada", actor: "admin" } });
  expect([history[2]?.release, nextCursor]).toEqual([1, null]);
  const page = await recordHistory(soundFamily, "gong", { limit: 2, cursor: 4 });
  expect([page.entries, page.nextCursor]).toEqual([history.slice(1, 3), 2]);
  const times = history.map(({ at }) => at.getTime());
  expect(times).toEqual(times.toSorted((a, b) => b - a));
  expect(times.at(-1)).toBeGreaterThan(0);
});

it("a family of its own: is saved to files", async () => {
  await save("gong", 1);
  const records = await loadVisible(soundSource, "staging");
  const file = async (format: "csv" | "json") => {
    const answer = await exportRecords(soundFiles, records, { format, environment: "staging" }, new Date(0));
    return [answer.file.name, await new Response(answer.data.toBody("", "", "x")).text()];
  };
  expect(await file("csv")).toEqual([
    "sounds-staging-1970-01-01.csv",
    expect.stringMatching(/name,volume\r\ngong,1\r\n$/),
  ]);
  expect(await file("json")).toEqual([
    "sounds-staging-1970-01-01.json",
    '{"sounds":[\n{"name":"gong","is_deleted":false,"volume":1}\n]}\n',
  ]);
});
