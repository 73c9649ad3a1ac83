import { DatabaseError, failedToParse } from "../errors";
import { compileFilter } from "../query/matcher";
import { compileProjection, projectBytes } from "../query/projection";
import { type Query } from "../query/planner";
import { runQuery } from "../query/run-query";
import { parseSort } from "../query/sort";
import { type Collection } from "../storage/collection";
import { isStorageFailure } from "../storage/space";
import { type StoredDocument } from "../storage/stored-document";
import { compileUpdate, documentFromFilter, type Update } from "../update/apply-update";
import {
  decodeDoc,
  encodeDoc,
  maxDocumentBytes,
  pickFields,
  rawDocument,
  requireSound,
  tooLarge,
  toStoredDocument,
} from "../values/bson-bytes";
import { valuesEqual } from "../values/key-encoding";
import { isDoc, isList, isTruthy, toNumber, type Doc } from "../values/values";
import {
  collectionName,
  findCollection,
  requireFields,
  whenFree,
  type Command,
  type CommandContext,
  type Reply,
} from "./context";
import { filterOf } from "./reads";

function target(context: CommandContext): Collection {
  return context.engine.findOrCreate(context.database, collectionName(context));
}

/** Runs the statements of a write command; an error ends an ordered batch and is told by the statement's place. */
async function runBatch<T>(
  context: CommandContext,
  statements: readonly T[],
  run: (statement: T, index: number) => Promise<void>,
): Promise<Reply> {
  if (statements.length === 0 || statements.length > 100_000) {
    throw new DatabaseError(16, "Write batch sizes must be between 1 and 100000.");
  }
  const writeErrors: Doc[] = [];
  try {
    for (const [index, statement] of statements.entries()) {
      try {
        await run(statement, index);
      } catch (error) {
        if (!(error instanceof DatabaseError) || error.labels.length > 0 || isStorageFailure(error)) throw error;
        writeErrors.push({ index, code: error.code, errmsg: error.message, ...error.details });
        if (context.command.ordered !== false || context.transaction) break;
      }
    }
  } finally {
    await context.engine.commit();
  }
  return writeErrors.length > 0 ? { writeErrors } : {};
}

function insertDocument(
  context: CommandContext,
  collection: Collection,
  bytes: Buffer,
): { id: unknown; bytes: Buffer } {
  const stored = toStoredDocument(bytes);
  requireId(stored.id);
  context.engine.insert(collection, stored.id, stored.bytes, context.transaction);
  return stored;
}

function requireId(id: unknown): void {
  const type = isList(id) ? "array" : id === undefined ? "undefined" : id instanceof RegExp ? "regex" : null;
  if (type !== null) throw new DatabaseError(2, `The '_id' value cannot be of type ${type}`);
  if (isDoc(id) && Object.keys(id).some((key) => key.startsWith("$"))) {
    throw new DatabaseError(52, "_id fields may not contain '$'-prefixed fields");
  }
}

async function insert(context: CommandContext): Promise<Reply> {
  const documents = isList(context.command.documents) ? context.command.documents : [];
  let n = 0;
  const errors = await runBatch(context, documents, async (bytes) => {
    if (!(bytes instanceof Uint8Array)) throw failedToParse("documents must be an array of documents");
    const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    requireSound(buffer);
    await whenFree(context.engine, () => insertDocument(context, target(context), buffer));
    n++;
  });
  return { n, ...errors };
}

/** What an update, delete or findAndModify statement looks for. */
function statementQuery(statement: Doc, filter: Doc, isMulti: boolean): Query {
  return {
    filter,
    sort: parseSort(statement.sort),
    skip: 0,
    limit: isMulti ? 0 : 1,
    hint: statement.hint,
  };
}

/** Gives the bytes after the update, and whether they differ. */
function modify(context: CommandContext, collection: Collection, document: StoredDocument, update: Update) {
  const doc = decodeDoc(document.bytes);
  const next = update.apply(doc, false);
  if (!Object.hasOwn(next, "_id") || !valuesEqual(next._id, doc._id)) {
    throw new DatabaseError(66, "Performing an update on '_id' would modify the immutable field '_id'");
  }
  const bytes = encodeDoc(next);
  if (bytes.length > maxDocumentBytes) throw tooLarge(bytes.length);
  const isChanged = !bytes.equals(document.bytes);
  if (isChanged) context.engine.update(collection, document, toStoredDocument(bytes).bytes, context.transaction);
  else collection.requireFree(document.idKey, context.transaction);
  return { bytes, isChanged };
}

function insertUpserted(context: CommandContext, collection: Collection, filter: Doc, update: Update) {
  const seed = documentFromFilter(filter, update.isReplacement);
  return insertDocument(context, collection, encodeDoc(update.apply(seed, true)));
}

/** Applies a step to the document found first, or another one when there is none, with nothing in between. */
function atFirstMatch<T>(
  { engine, transaction }: CommandContext,
  collection: Collection,
  query: Query,
  step: (document: StoredDocument) => T,
  otherwise: () => T,
): Promise<T> {
  return whenFree(engine, () => {
    const [document] = runQuery(collection, query, transaction).documents;
    return document ? step(document) : otherwise();
  });
}

/** Applies a step to every matching document; one that had to wait is read and checked again. */
async function atEachMatch(
  { engine, transaction }: CommandContext,
  collection: Collection,
  query: Query,
  step: (document: StoredDocument) => void,
  otherwise: () => void,
): Promise<void> {
  const matcher = compileFilter(query.filter);
  let matched = 0;
  for (const { idKey } of runQuery(collection, query, transaction).documents) {
    await whenFree(engine, () => {
      const document = collection.find(idKey, transaction);
      if (!document || !matcher.matches(pickFields(document.bytes, matcher.fields))) return;
      step(document);
      matched++;
    });
  }
  if (matched === 0) await whenFree(engine, otherwise);
}

const updateFields = ["q", "u", "upsert", "multi", "arrayFilters", "hint", "c"];

async function update(context: CommandContext): Promise<Reply> {
  const statements = listOfDocs(context.command.updates, "update.updates", updateFields);
  const collection = target(context);
  let n = 0;
  let nModified = 0;
  const upserted: Doc[] = [];
  const errors = await runBatch(context, statements, async (statement, index) => {
    const filter = filterOf(statement.q, "q");
    const isMulti = isTruthy(statement.multi);
    const compiled = compileUpdate(statement.u, statement.arrayFilters, isMulti);
    const step = (document: StoredDocument) => {
      if (modify(context, collection, document, compiled).isChanged) nModified++;
      n++;
    };
    const otherwise = () => {
      if (!isTruthy(statement.upsert)) return;
      upserted.push({ index, _id: insertUpserted(context, collection, filter, compiled).id });
      n++;
    };
    const run = isMulti ? atEachMatch : atFirstMatch;
    await run(context, collection, statementQuery(statement, filter, isMulti), step, otherwise);
  });
  return { n, nModified, ...(upserted.length > 0 ? { upserted } : {}), ...errors };
}

function listOfDocs(value: unknown, name: string, fields: readonly string[]): Doc[] {
  if (!isList(value) || !value.every(isDoc)) throw failedToParse(`${name} must be an array of documents`);
  for (const doc of value) requireFields(doc, name, fields);
  return value;
}

async function remove(context: CommandContext): Promise<Reply> {
  const statements = listOfDocs(context.command.deletes, "delete.deletes", ["q", "limit", "hint"]);
  const collection = findCollection(context);
  let n = 0;
  const errors = await runBatch(context, statements, async (statement) => {
    const isMulti = toNumber(statement.limit) === 0;
    const query = statementQuery(statement, filterOf(statement.q, "q"), isMulti);
    if (collection === null) return;
    const step = (document: StoredDocument) => {
      context.engine.remove(collection, document, context.transaction);
      n++;
    };
    await (isMulti ? atEachMatch : atFirstMatch)(context, collection, query, step, () => undefined);
  });
  return { n, ...errors };
}

async function findAndModify(context: CommandContext): Promise<Reply> {
  const { command, engine, transaction } = context;
  const isRemoval = isTruthy(command.remove);
  const isUpsert = isTruthy(command.upsert);
  if (isRemoval === (command.update !== undefined)) {
    throw failedToParse("Either an update or remove=true must be specified, and not both");
  }
  if (isRemoval && (isUpsert || isTruthy(command.new))) {
    throw failedToParse("Cannot specify upsert or new together with remove=true");
  }
  const filter = filterOf(command.query, "query");
  const projection = compileProjection(command.fields);
  const compiled = isRemoval ? null : compileUpdate(command.update, command.arrayFilters, false);
  const valueOf = (bytes: Buffer) => rawDocument(projectBytes(bytes, projection));
  const collection = target(context);
  const step = (document: StoredDocument): Reply => {
    const before = document.bytes;
    if (compiled === null) {
      engine.remove(collection, document, transaction);
      return { lastErrorObject: { n: 1 }, value: valueOf(before) };
    }
    const { bytes } = modify(context, collection, document, compiled);
    return {
      lastErrorObject: { n: 1, updatedExisting: true },
      value: valueOf(isTruthy(command.new) ? bytes : before),
    };
  };
  const otherwise = (): Reply => {
    if (compiled === null) return { lastErrorObject: { n: 0 }, value: null };
    if (!isUpsert) return { lastErrorObject: { n: 0, updatedExisting: false }, value: null };
    const { id, bytes } = insertUpserted(context, collection, filter, compiled);
    const value = isTruthy(command.new) ? valueOf(bytes) : null;
    return { lastErrorObject: { n: 1, updatedExisting: false, upserted: id }, value };
  };
  try {
    return await atFirstMatch(context, collection, statementQuery(command, filter, false), step, otherwise);
  } finally {
    await engine.commit();
  }
}

export const writeCommands: Readonly<Record<string, Command>> = {
  insert: {
    fields: ["documents", "ordered", "bypassDocumentValidation"],
    inTransaction: true,
    writes: true,
    run: insert,
  },
  update: {
    fields: ["updates", "ordered", "bypassDocumentValidation"],
    inTransaction: true,
    writes: true,
    run: update,
  },
  delete: { fields: ["deletes", "ordered"], inTransaction: true, writes: true, run: remove },
  findAndModify: {
    fields: [
      "query",
      "sort",
      "remove",
      "update",
      "new",
      "fields",
      "upsert",
      "arrayFilters",
      "hint",
      "bypassDocumentValidation",
    ],
    inTransaction: true,
    writes: true,
    run: findAndModify,
  },
};
