import "@/lib/releases/gate";
import { adoptUnreleased, authorOf } from "@/lib/records/publishing/record-release";
import { inTransaction, type Transaction, type WriteContext } from "@/lib/platform/db/transaction";
import { hmiLevels, type RecordStatus } from "@/lib/vocabulary/terms";
import { ConsumerMessageModel } from "@/models/consumer-message";
import { CustomVehicleDataModel } from "@/models/custom-vehicle-data";
import { FunctionalGroupModel } from "@/models/functional-group";
import { LanguageModel } from "@/models/language";
import { PermissionModel } from "@/models/permission";
import { isDeepStrictEqual } from "node:util";
import type { ClientSession, Model } from "mongoose";
import { rawCollection, type RawDocument } from "@/lib/platform/db/connection/connect";

/** Content as large as administrators' records get. The console must stay fast with it. */
export const largeCounts = { groups: 300, rpcs: 190, messages: 60, vehicleData: 24, depth: 10 } as const;

/** Every tenth record has changes that are not in production. */
const statusOf = (at: number): RecordStatus => (at % 10 === 9 ? "STAGING" : "PRODUCTION");
export const numbered = (word: string, at: number) => `${word}-${String(at + 1).padStart(3, "0")}`;

/** Adds groups, messages and vehicle data to initial data, each in one transaction, and releases those in production. */
export async function fillLarge(context: WriteContext): Promise<void> {
  await inTransaction(context, (tx) =>
    fillMessages(tx, { word: "LargePrompt", count: largeCounts.messages, statusOf }),
  );
  await inTransaction(context, fillGroups);
  await inTransaction(context, fillVehicleData);
  await inTransaction(context, (tx) => adoptUnreleased(tx, authorOf(tx.writer)));
}

async function fillGroups(tx: Transaction): Promise<void> {
  const known = await PermissionModel.find({}, { name: 1, type: 1, parents: 1 }).sort({ _id: 1 }).lean();
  const rpcs = known.filter(({ type }) => type === "RPC").map(({ name }) => name);
  const more = Array.from({ length: Math.max(0, largeCounts.rpcs - rpcs.length) }, (_, at) => numbered("OemCall", at));
  const permissionIds = await tx.nextIds("permissions", more.length);
  const added = more.map((name, at) => ({ _id: permissionIds[at], name, type: "RPC", revision: tx.revision }));
  await PermissionModel.insertMany(added, { session: tx.session });

  const parametersOf = (rpc: string) => known.filter(({ parents }) => parents.includes(rpc)).map(({ name }) => name);
  const all = [...rpcs, ...more].slice(0, largeCounts.rpcs).map((name) => ({ name, parameters: parametersOf(name) }));
  const ids = await tx.nextIds("functional_groups", largeCounts.groups);
  const documents = Array.from({ length: largeCounts.groups }, (_, at) => ({
    _id: ids[at],
    name: numbered("Large", at),
    description: `Group ${at + 1} with every RPC`,
    status: statusOf(at),
    userConsentPrompt: at % 3 === 0 ? numbered("LargePrompt", at % largeCounts.messages) : null,
    isProprietaryGroup: at % 4 === 0,
    // From one level up; every seventh RPC gets a set with a gap.
    rpcs: all.map((rpc, place) => ({
      ...rpc,
      levels: place % 7 === 6 ? ["FULL", "BACKGROUND"] : hmiLevels.slice(0, 1 + ((at + place) % hmiLevels.length)),
    })),
  }));
  await storePlain(FunctionalGroupModel, documents, tx.session);
}

/** Messages in every available language. */
export async function fillMessages(
  tx: Transaction,
  { word, count, statusOf: statusAt }: { word: string; count: number; statusOf: (at: number) => RecordStatus },
): Promise<void> {
  const languages = await LanguageModel.find({}, { languageId: 1 }).sort({ languageId: 1 }).lean();
  const ids = await tx.nextIds("consumer_messages", count);
  const documents = [];
  for (let at = 0; at < count; at++) {
    const textIds = await tx.nextIds("message_texts", languages.length);
    const texts = languages.map(({ languageId }, place) => ({
      id: textIds[place],
      languageId,
      tts: `%appName% asks for the data of message ${at + 1} in ${languageId}. Please press yes to agree and no to refuse.`,
      line1: `Grant message ${at + 1}?`,
      line2: languageId,
      textBody: `Text of message ${at + 1} in ${languageId}. `.repeat(4).trim(),
      label: `Label ${at + 1}`,
    }));
    documents.push({ _id: ids[at], category: numbered(word, at), status: statusAt(at), languages: texts });
  }
  await storePlain(ConsumerMessageModel, documents, tx.session);
}

async function fillVehicleData(tx: Transaction): Promise<void> {
  const perItem = 1 + largeCounts.depth * 3;
  const documents = [];
  for (let at = 0; at < largeCounts.vehicleData; at++) {
    const ids = await tx.nextIds("custom_vehicle_data", perItem);
    documents.push({ _id: ids[0], name: `largeItem${at + 1}`, status: statusOf(at), nodes: buildTree(at, ids) });
  }
  await CustomVehicleDataModel.insertMany(documents, { session: tx.session });
}

/** Nested structs, each next to a number and a text. */
function buildTree(at: number, ids: readonly number[]) {
  const [root = 0] = ids;
  const nodes = [
    { id: root, parentId: null as number | null, name: `largeItem${at + 1}`, key: `OEM_${at + 1}`, type: "Struct" },
  ];
  let parentId = root;
  for (let level = 0; level < largeCounts.depth; level++) {
    const [struct = 0, number = 0, text = 0] = ids.slice(1 + level * 3, 4 + level * 3);
    const child = (id: number, word: string, type: string, limits: object) => ({
      ...{ id, parentId, type, ...limits },
      name: `${word}${level + 1}`,
      key: `OEM_${at + 1}_${word.toUpperCase()}_${level + 1}`,
    });
    nodes.push(
      child(number, "number", "Integer", { minValue: 0, maxValue: 100 + level }),
      child(text, "text", "String", { minLength: 1, maxLength: 64, array: level % 2 === 1 }),
    );
    // The innermost struct would be empty.
    if (level + 1 < largeCounts.depth) nodes.push(child(struct, "part", "Struct", {}));
    parentId = struct;
  }
  return nodes;
}

/** Stores one published item of custom vehicle data with members, which leaves no pending changes. */
export async function fillExampleItem(context: WriteContext): Promise<void> {
  await inTransaction(context, async (tx) => {
    const [root = 0, level = 0, program = 0] = await tx.nextIds("custom_vehicle_data", 3);
    const nodes = [
      { id: root, parentId: null, name: "seatMassage", key: "OEM_SEAT_MASSAGE", type: "Struct" },
      { id: level, parentId: root, name: "level", key: "OEM_LEVEL", type: "Integer", minValue: 0, maxValue: 5 },
      { id: program, parentId: root, name: "program", key: "OEM_PROGRAM", type: "String", maxLength: 40 },
    ];
    const item = { _id: root, name: "seatMassage", status: "PRODUCTION" as const, nodes };
    await CustomVehicleDataModel.insertMany([item], { session: tx.session });
    await adoptUnreleased(tx, authorOf(tx.writer));
  });
}

/** Content for measuring releases, in addition to 10,000 apps (`docs/spec/releases.md` section 7). */
export const releaseCounts = { groups: 500, messages: 300, rpcs: 12 } as const;

/** Adds groups and messages to initial data, all in production, with their release. */
export async function fillForReleases(context: WriteContext): Promise<void> {
  const messages = { word: "Prompt", count: releaseCounts.messages, statusOf: () => "PRODUCTION" as const };
  await inTransaction(context, (tx) => fillMessages(tx, messages));
  await inTransaction(context, fillReleasedGroups);
  await inTransaction(context, (tx) => adoptUnreleased(tx, authorOf(tx.writer)));
}

/** Every fifth group is granted to apps that request something in it; the others are granted manually. */
async function fillReleasedGroups(tx: Transaction): Promise<void> {
  const known = await PermissionModel.find({}, { name: 1, type: 1, parents: 1 }).sort({ _id: 1 }).lean();
  const rpcs = known
    .filter(({ type }) => type === "RPC")
    .map(({ name }) => ({
      name,
      parameters: known.filter(({ parents }) => parents.includes(name)).map((parameter) => parameter.name),
    }));
  const ids = await tx.nextIds("functional_groups", releaseCounts.groups);
  const documents = ids.map((_id, at) => ({
    _id,
    name: numbered("Released", at),
    description: `Group ${at + 1} of many`,
    status: "PRODUCTION",
    userConsentPrompt: at % 3 === 0 ? numbered("Prompt", at % releaseCounts.messages) : null,
    isProprietaryGroup: at % 5 !== 0,
    // Steps of 7 give neighboring groups different RPCs.
    rpcs: Array.from({ length: releaseCounts.rpcs }, (_, place) => ({
      ...rpcs[(at * 7 + place) % rpcs.length],
      levels: hmiLevels.slice(0, 1 + ((at + place) % hmiLevels.length)),
    })),
  }));
  await FunctionalGroupModel.insertMany(documents, { session: tx.session });
}

/**
 * Stores new documents without Mongoose, which would take most of the time. Mongoose still builds the first one: the others
 * get its defaults, and it must come out unchanged.
 *
 * @throws Error if the schema would store something else
 */
export async function storePlain<T>(
  model: Model<T>,
  documents: readonly Readonly<Record<string, unknown>>[],
  session: ClientSession,
): Promise<void> {
  const [first] = documents;
  if (first === undefined) return;
  const made = new model(first);
  await made.validate();
  const now = new Date();
  const times = model.schema.get("timestamps") ? { createdAt: now, updatedAt: now } : {};
  const stored: Record<string, unknown> = { ...made.toObject(), __v: 0, ...times };
  const defaults = Object.fromEntries(Object.entries(stored).filter(([name]) => !(name in first)));
  const plain = documents.map((document) => ({ ...defaults, ...document }));
  const isComplete = plain.every((document) => Object.keys(document).length === Object.keys(stored).length);
  if (!isComplete || !isDeepStrictEqual(plain[0], stored)) {
    throw new Error(`${model.modelName}: the schema stores another document than the one that is given`);
  }
  await rawCollection(model).insertMany(plain as unknown as RawDocument[], { session });
}
