import { badValue, DatabaseError, namespaceNotFound } from "../errors";
import { compileFilter } from "../query/matcher";
import type { Collection } from "../storage/collection";
import { requireIndexOptions } from "../storage/collection-index";
import { encodeDoc } from "../values/bson-bytes";
import { encodeValue } from "../values/key-encoding";
import { isDoc, isList, isTruthy, toNumber, type Doc } from "../values/values";
import {
  collectionName,
  findCollection,
  optionalNumber,
  type Command,
  type CommandContext,
  type Reply,
} from "./context";
import { filterOf } from "./reads";

const cannotCreate = (message: string) => new DatabaseError(67, message);
const patternName = (key: Doc) =>
  Object.entries(key)
    .map(([path, direction]) => `${path}_${String(toNumber(direction))}`)
    .join("_");

async function whenUnwritten(context: CommandContext, collection: Collection): Promise<void> {
  for (;;) {
    const writers = context.engine.writersOf(collection);
    if (writers.length === 0) return;
    await Promise.all(writers.map(({ ended }) => ended));
  }
}

async function create(context: CommandContext): Promise<Reply> {
  const { engine, database } = context;
  const name = collectionName(context);
  if (engine.collections.has(`${database}.${name}`)) {
    throw new DatabaseError(48, `Collection ${database}.${name} already exists.`);
  }
  engine.create(database, name);
  await engine.commit();
  return {};
}

async function drop(context: CommandContext): Promise<Reply> {
  const { engine } = context;
  const collection = findCollection(context);
  if (collection === null) return {};
  await whenUnwritten(context, collection);
  const { namespace, indexes } = collection;
  if (engine.collections.get(namespace) === collection) engine.drop(collection);
  await engine.commit();
  return { nIndexesWas: indexes.size, ns: namespace };
}

async function dropDatabase(context: CommandContext): Promise<Reply> {
  const { engine, database } = context;
  const collections = [...engine.collections.values()].filter((collection) => collection.database === database);
  for (const collection of collections) await whenUnwritten(context, collection);
  for (const collection of collections) {
    if (engine.collections.get(collection.namespace) === collection) engine.drop(collection);
  }
  await engine.commit();
  return { dropped: database };
}

function indexSpec(given: unknown): Doc & { name: string; key: Doc } {
  if (!isDoc(given) || !isDoc(given.key) || Object.keys(given.key).length === 0) {
    throw cannotCreate("Index keys cannot be empty.");
  }
  for (const [path, direction] of Object.entries(given.key)) {
    if (typeof direction === "string") throw cannotCreate(`Unknown index plugin '${direction}'`);
    if (![1, -1].includes(toNumber(direction))) throw cannotCreate(`Values in the index key pattern must be 1 or -1`);
    if (path.startsWith("$") || path.includes("$**"))
      throw cannotCreate(`Index key contains an illegal field: ${path}`);
  }
  requireIndexOptions(given);
  const { key, name, unique } = given;
  return {
    v: 2,
    key,
    name: typeof name === "string" && name !== "" ? name : patternName(key),
    ...(isTruthy(unique) ? { unique: true } : {}),
  };
}

function indexExists(collection: Collection, spec: Doc & { name: string; key: Doc }): boolean {
  if (encodeValue(spec.key) === encodeValue({ _id: 1 })) return true;
  const named = collection.indexes.get(spec.name);
  if (named) {
    if (encodeValue(named.spec) === encodeValue(spec)) return true;
    const isSameKey = encodeValue(named.spec.key) === encodeValue(spec.key);
    throw new DatabaseError(
      isSameKey ? 85 : 86,
      `An existing index has the same name as the requested index, but not the same specification: ${spec.name}`,
    );
  }
  const pattern = encodeValue(spec.key);
  const equivalent = [...collection.indexes.values()].find((index) => encodeValue(index.spec.key) === pattern);
  if (equivalent === undefined) return false;
  throw new DatabaseError(85, `Index already exists with a different name: ${equivalent.name}`);
}

async function createIndexes(context: CommandContext): Promise<Reply> {
  const { command, engine, database } = context;
  if (!isList(command.indexes) || command.indexes.length === 0)
    throw badValue("Must specify at least one index to create");
  const specs = command.indexes.map(indexSpec);
  const isNew = findCollection(context) === null;
  let collection = engine.findOrCreate(database, collectionName(context));
  const before = collection.indexes.size;
  try {
    for (const spec of specs) {
      await engine.commit();
      await whenUnwritten(context, collection);
      collection = engine.findOrCreate(database, collectionName(context));
      if (!indexExists(collection, spec)) engine.createIndex(collection, spec);
    }
  } finally {
    await engine.commit();
  }
  return {
    numIndexesBefore: before,
    numIndexesAfter: collection.indexes.size,
    createdCollectionAutomatically: isNew,
  };
}

function listIndexes(context: CommandContext): Reply {
  const collection = findCollection(context);
  if (collection === null) throw namespaceNotFound(`ns does not exist: ${context.database}.${collectionName(context)}`);
  return listReply(
    context,
    collection.namespace,
    Array.from(collection.indexes.values(), ({ spec }) => spec),
  );
}

function listReply({ command, cursors, sessionKey }: CommandContext, namespace: string, docs: readonly Doc[]): Reply {
  const batchSize = isDoc(command.cursor) ? optionalNumber(command.cursor.batchSize) : undefined;
  const documents = docs.map(encodeDoc);
  const project = (bytes: Buffer) => bytes;
  return cursors.open({ namespace, documents, project, sessionKey, batchSize, isSingleBatch: false });
}

function listCollections(context: CommandContext): Reply {
  const { command, engine, database } = context;
  const { matches } = compileFilter(filterOf(command.filter, "filter"));
  const collections = [...engine.collections.values()]
    .filter((collection) => collection.database === database)
    .map(({ name }): Doc => ({
      name,
      type: "collection",
      options: {},
      info: { readOnly: false },
      idIndex: { v: 2, key: { _id: 1 }, name: "_id_" },
    }))
    .filter((description) => matches(description));
  const shown = isTruthy(command.nameOnly) ? collections.map(({ name, type }) => ({ name, type })) : collections;
  return listReply(context, `${database}.$cmd.listCollections`, shown);
}

export const structureCommands: Readonly<Record<string, Command>> = {
  create: { fields: [], writes: true, run: create },
  drop: { fields: [], writes: true, run: drop },
  dropDatabase: { fields: [], writes: true, run: dropDatabase },
  createIndexes: { fields: ["indexes", "commitQuorum"], writes: true, run: createIndexes },
  listIndexes: { fields: ["cursor"], reads: true, run: listIndexes },
  listCollections: {
    fields: ["filter", "nameOnly", "authorizedCollections", "cursor"],
    reads: true,
    run: listCollections,
  },
};
