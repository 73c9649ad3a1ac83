import { DatabaseError } from "../errors";
import { compileFilter } from "../query/matcher";
import type { Query } from "../query/planner";
import { runQuery } from "../query/run-query";
import type { Collection } from "../storage/collection";
import type { StoredDocument } from "../storage/stored-document";
import { documentFromFilter, type Update } from "../update/apply-update";
import { decodeDoc, encodeDoc, maxDocumentBytes, pickFields, tooLarge, toStoredDocument } from "../values/bson-bytes";
import { valuesEqual } from "../values/key-encoding";
import { isDoc, isList, type Doc } from "../values/values";
import { collectionName, whenFree, type CommandContext } from "./context";

export function target(context: CommandContext): Collection {
  return context.engine.findOrCreate(context.database, collectionName(context));
}

export function insertDocument(
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

export function statementQuery(filter: Doc, isMulti: boolean): Query {
  return { filter, sort: [], limit: isMulti ? 0 : 1 };
}

export function modify(context: CommandContext, collection: Collection, document: StoredDocument, update: Update) {
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

export function insertUpserted(context: CommandContext, collection: Collection, filter: Doc, update: Update) {
  const seed = documentFromFilter(filter, update.isReplacement);
  return insertDocument(context, collection, encodeDoc(update.apply(seed, true)));
}

export function atFirstMatch<T>(
  { engine, transaction }: CommandContext,
  collection: Collection,
  query: Query,
  step: (document: StoredDocument) => T,
  otherwise: () => T,
): Promise<T> {
  return whenFree(engine, () => {
    const [document] = runQuery(collection, query, transaction);
    return document ? step(document) : otherwise();
  });
}

export async function atEachMatch(
  { engine, transaction }: CommandContext,
  collection: Collection,
  query: Query,
  step: (document: StoredDocument) => void,
  otherwise: () => void,
): Promise<void> {
  const matcher = compileFilter(query.filter);
  let matched = 0;
  for (const { idKey } of runQuery(collection, query, transaction)) {
    await whenFree(engine, () => {
      const document = collection.find(idKey, transaction);
      if (!document || !matcher.matches(pickFields(document.bytes, matcher.fields))) return;
      step(document);
      matched++;
    });
  }
  if (matched === 0) await whenFree(engine, otherwise);
}
