import "@/lib/gate/gate";
import { adoptUnreleased } from "@/lib/content/releases/adopt";
import { authorOf } from "@/lib/content/releases/record-release";
import { inTransaction, type Transaction, type WriteContext } from "@/lib/platform/db/transaction";
import { hmiLevels, type RecordStatus } from "@/lib/labels/vocabulary";
import { ConsumerMessageModel } from "@/models/consumer-message";
import { CustomVehicleDataModel } from "@/models/custom-vehicle-data";
import { FunctionalGroupModel } from "@/models/functional-group";
import { LanguageModel } from "@/models/language";
import { PermissionModel } from "@/models/permission";
import { storePlain } from "./store-plain";

/** As large as the records of an administrator get: what the console must stay quick with. */
export const largeCounts = { groups: 300, rpcs: 190, messages: 60, vehicleData: 24, depth: 10 } as const;

/** Every tenth record has changes that are not in production. */
const statusOf = (at: number): RecordStatus => (at % 10 === 9 ? "STAGING" : "PRODUCTION");
export const numbered = (word: string, at: number) => `${word}-${String(at + 1).padStart(3, "0")}`;

/** Adds groups, messages and vehicle data to first data, in one transaction each, and a release of what is in production. */
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
    // From one level up, and for every seventh RPC a set with a gap.
    rpcs: all.map((rpc, place) => ({
      ...rpc,
      levels: place % 7 === 6 ? ["FULL", "BACKGROUND"] : hmiLevels.slice(0, 1 + ((at + place) % hmiLevels.length)),
    })),
  }));
  await storePlain(FunctionalGroupModel, documents, tx.session);
}

/** Messages in every language that there is. */
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

/** A struct in a struct in a struct, each beside a number and a text. */
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
    // The innermost struct would have nothing in it.
    if (level + 1 < largeCounts.depth) nodes.push(child(struct, "part", "Struct", {}));
    parentId = struct;
  }
  return nodes;
}
