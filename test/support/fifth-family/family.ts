/**
 * A family that the server does not have: sound signals. A program that imports this file first has a server with five
 * families. It takes only this description, and a line in each list of families
 * (`docs/adr/0049-describe-record-families-once.md`).
 */
import "@/test/support/fifth-family/labels";
import mongoose, { type Model, Schema } from "mongoose";
import { z } from "zod";
import { recordFamilies } from "@/lib/platform/db/heads";
import { snapshotFamilies } from "@/lib/policy/snapshot/shared-parts";
import { recordItems } from "@/lib/content/families";
import { numberEach, type RecordFamily, type RecordSource } from "@/lib/content/records/family";
import { canonical, type ExportForm, type FileForm, strict } from "@/lib/content/records/file-form";
import { fileForms } from "@/lib/content/file-forms";
import type { VersionedRecord } from "@/lib/content/records/views";
import { byLowerCase } from "@/lib/labels/order";
import { recordStatuses } from "@/lib/labels/vocabulary";

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
const store = { model: SoundModel, keyField: "name" };

export const soundSource: RecordSource<SoundRecord> = {
  ...store,
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

const body = z.object({ name: z.string(), is_deleted: z.boolean().default(false), volume: z.int() });
export const soundFamily: RecordFamily<SoundContent, SoundRecord> = {
  ...soundSource,
  ...store,
  // The types know only the server's families.
  item: "sound" as "group",
  area: "sounds",
  targetOf: ({ name }) => `sound:${name}`,
  subjectOf: ({ name }) => `The sound ${name}`,
  toJson: (record) => Promise.resolve(record),
  toBody: ({ name, isDeleted, volume }) => ({ name, is_deleted: isDeleted, volume }),
  contentOf: (given) => {
    const { name, is_deleted: isDeleted, volume } = body.parse(given);
    return Promise.resolve({ name, isDeleted, volume });
  },
  // Any counter will do.
  number: (tx, sounds) => numberEach(tx, "missed_removals", sounds),
};

const item = strict({ name: z.string(), volume: z.int() });
const soundFile: FileForm<z.output<typeof item>> = {
  member: "sounds",
  place: "sounds",
  schema: item,
  keyOf: ({ name }) => name,
  itemOf: (given) => {
    const { name, volume } = body.parse(given);
    return canonical({ name, volume });
  },
  bodyOf: (sound) => ({ ...sound, is_deleted: false }),
};
export const soundTable: ExportForm<SoundRecord> = {
  name: "sounds",
  member: "sounds",
  toBody: (record) => soundFamily.toBody(record),
  columns: ["name", "volume"],
  lines: ({ name, volume }) => [[name, volume]],
};

const document = z
  .object({ _id: z.int(), name: z.string(), status: z.enum(recordStatuses), isDeleted: z.boolean() })
  .transform(({ _id: id, ...record }) => ({ id, ...record }));
const snapshotSound = {
  ...{ family: "sound", member: "sounds", document },
  keyOf: ({ name }: SoundRecord) => name,
  viewsOf: ({ sounds }: { readonly sounds: unknown }) => sounds,
  listOf: ({ sounds }: { readonly sounds: unknown }) => sounds,
};

Object.assign(recordFamilies, { sound: store });
Object.assign(snapshotFamilies, { sound: snapshotSound });
Object.assign(recordItems, { sound: soundFamily });
Object.assign(fileForms, { sound: soundFile });
