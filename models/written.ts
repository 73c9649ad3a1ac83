"one per process";

import type { ClientSession, Model } from "mongoose";

/** One write that may change what production is compiled from (`gate.md` W1). */
export interface ProductionWrite {
  /** `records`: PRODUCTION records; `apps`: what production serves of apps; `automatic`: approves by itself. */
  readonly kind: "records" | "apps" | "automatic";
  readonly collection: string;
}

type Note = (write: ProductionWrite) => Promise<void>;

/** Under which a session has its note, and a collection that it is watched. */
const key = Symbol("written");

/** Reports all writes of a session to `note`, which is awaited before each write. */
export function watchWrites(session: ClientSession, note: Note): void {
  Reflect.set(session, key, note);
}

/** Decides from the arguments of a write what it changes; null if nothing that production is built from. */
type Classifier = (documents: readonly Members[], isInsert: boolean) => ProductionWrite["kind"] | null;
type Members = Readonly<Record<string, unknown>>;

/** Members for finding, showing and tracking records; what vehicles get does not depend on them. */
const ofNoTable: ReadonlySet<string> = new Set([
  ...["isLatest", "searchText", "nameKey", "storedAt", "createdAt", "updatedAt", "release", "revision"],
  // Renewed in place: a certificate gives no app a permission.
  ...["certificate", "privateKey", "expirationTs"],
  ...["denialMessage", "holds", "blacklistedTs", "blacklistOrigin"],
]);
const isOfTable = (document: Members) => Object.keys(document).some((name) => !ofNoTable.has(name));

/** Records are append-only: every change to a stored one changes production. */
export const classifyRecords: Classifier = (documents, isInsert) =>
  documents.some((one) => (isInsert ? one["status"] === "PRODUCTION" : isOfTable(one))) ? "records" : null;

/** Versions: a new one reaches production if it is accepted. */
export const classifyVersions: Classifier = (documents, isInsert) =>
  documents.some((one) => (isInsert ? one["approvalStatus"] === "ACCEPTED" : isOfTable(one))) ? "apps" : null;

const flags = [
  ...["isBlacklisted", "isAdministratorApp", "allowUnknownRpcPassthrough", "hybridAppPreference", "priority"],
] as const;

/** Flags of apps; a new document without flags changes nothing. */
export const classifyFlags: Classifier = (documents, isInsert) => {
  if (documents.some((one) => one["isAutoApprovedEnabled"] === true)) return "automatic";
  const counts = (one: Members) => flags.some((name) => (isInsert ? Boolean(one[name]) : name in one));
  return documents.some(counts) ? "apps" : null;
};

const inserting = ["insertOne", "insertMany"] as const;
const updating = ["updateOne", "updateMany", "replaceOne", "findOneAndUpdate", "findOneAndReplace"] as const;

/** Reports writes that may change production to their transaction, and refuses them without one (`gate.md` W3). */
export function watched<T>(model: Model<T>, judge: Classifier): Model<T> {
  const collection = model.collection as unknown as Record<string, unknown>;
  if (collection[key as unknown as string] !== undefined) return model;
  Reflect.set(collection, key, true);
  const watch = (name: string, documentsOf: (args: readonly unknown[]) => readonly Members[], isInsert: boolean) => {
    const send = Reflect.get(collection, name) as (...args: readonly unknown[]) => Promise<unknown>;
    Reflect.set(collection, name, async function (this: unknown, ...args: readonly unknown[]) {
      const kind = judge(documentsOf(args), isInsert);
      if (kind !== null) await findNote(model, args)({ kind, collection: model.collection.collectionName });
      return send.call(this, ...args);
    });
  };
  for (const name of inserting) watch(name, ([documents]) => listOf(documents).map(membersOf), true);
  for (const name of updating) watch(name, ([, update]) => changesOf(update), false);
  watch("bulkWrite", ([operations]) => listOf(operations).flatMap(changesOfOperation), false);
  return model;
}

function findNote({ modelName }: { readonly modelName: string }, args: readonly unknown[]): Note {
  const session: unknown = membersOf(args.at(-1))["session"];
  const note: unknown = typeof session === "object" && session !== null ? Reflect.get(session, key) : undefined;
  if (typeof note === "function") return note as Note;
  throw new Error(`${modelName}: what production is made from is written in a transaction only`);
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [value]);
const membersOf = (value: unknown): Members => (typeof value === "object" && value !== null ? (value as Members) : {});

/** The members that an update sets; operators other than `$set` may change anything. */
function changesOf(update: unknown): readonly Members[] {
  return listOf(update).flatMap((one) => {
    const { $set, $setOnInsert, ...others } = membersOf(one);
    return [membersOf($set), membersOf($setOnInsert), others];
  });
}

function changesOfOperation(operation: unknown): readonly Members[] {
  return Object.entries(membersOf(operation)).flatMap(([name, how]) => {
    const { document, update, replacement } = membersOf(how);
    if (name === "insertOne") return [membersOf(document)];
    return name.startsWith("delete") ? [] : changesOf(update ?? replacement);
  });
}
