import { DatabaseError, failedToParse } from "../errors";
import { isStorageFailure } from "../storage/space";
import type { StoredDocument } from "../storage/stored-document";
import { compileUpdate } from "../update/apply-update";
import { requireSound, rawDocument } from "../values/bson-bytes";
import { isDoc, isList, isTruthy, toNumber, type Doc } from "../values/values";
import { atEachMatch, atFirstMatch, insertDocument, insertUpserted, modify, statementQuery, target } from "./changes";
import { findCollection, requireFields, whenFree, type Command, type CommandContext, type Reply } from "./context";
import { filterOf } from "./reads";

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
    await context.engine.commit(context.transaction);
  }
  return writeErrors.length > 0 ? { writeErrors } : {};
}

function listOfDocs(value: unknown, name: string, fields: readonly string[]): Doc[] {
  if (!isList(value) || !value.every(isDoc)) throw failedToParse(`${name} must be an array of documents`);
  for (const doc of value) requireFields(doc, name, fields);
  return value;
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

const updateFields = ["q", "u", "upsert", "multi"];

async function update(context: CommandContext): Promise<Reply> {
  const statements = listOfDocs(context.command.updates, "update.updates", updateFields);
  const collection = target(context);
  let n = 0;
  let nModified = 0;
  const upserted: Doc[] = [];
  const errors = await runBatch(context, statements, async (statement, index) => {
    const filter = filterOf(statement.q, "q");
    const isMulti = isTruthy(statement.multi);
    const compiled = compileUpdate(statement.u, isMulti);
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
    await run(context, collection, statementQuery(filter, isMulti), step, otherwise);
  });
  return { n, nModified, ...(upserted.length > 0 ? { upserted } : {}), ...errors };
}

async function remove(context: CommandContext): Promise<Reply> {
  const statements = listOfDocs(context.command.deletes, "delete.deletes", ["q", "limit"]);
  const collection = findCollection(context);
  let n = 0;
  const errors = await runBatch(context, statements, async (statement) => {
    const isMulti = toNumber(statement.limit) === 0;
    const query = statementQuery(filterOf(statement.q, "q"), isMulti);
    if (collection === null) return;
    const step = (document: StoredDocument) => {
      context.engine.remove(collection, document, context.transaction);
      n++;
    };
    await (isMulti ? atEachMatch : atFirstMatch)(context, collection, query, step, () => undefined);
  });
  return { n, ...errors };
}

export const writeCommands: Readonly<Record<string, Command>> = {
  insert: {
    fields: ["documents", "ordered"],
    inTransaction: true,
    writes: true,
    run: insert,
  },
  update: {
    fields: ["updates", "ordered"],
    inTransaction: true,
    writes: true,
    run: update,
  },
  delete: { fields: ["deletes", "ordered"], inTransaction: true, writes: true, run: remove },
  findAndModify: {
    fields: ["query", "remove", "update", "new", "upsert"],
    inTransaction: true,
    writes: true,
    run: findAndModify,
  },
};

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
  const compiled = isRemoval ? null : compileUpdate(command.update, false);
  // Heartbeats: a crash may lose them, and on a slow disk nothing may stand behind them.
  const isDeferred = isDoc(command.writeConcern) && command.writeConcern.j === false;
  const run = <T>(step: () => T): T => (isDeferred ? engine.defer(step) : step());
  const collection = run(() => target(context));
  const step = (document: StoredDocument): Reply => {
    const before = document.bytes;
    if (compiled === null) {
      engine.remove(collection, document, transaction);
      return { lastErrorObject: { n: 1 }, value: rawDocument(before) };
    }
    const { bytes } = modify(context, collection, document, compiled);
    return {
      lastErrorObject: { n: 1, updatedExisting: true },
      value: rawDocument(isTruthy(command.new) ? bytes : before),
    };
  };
  const otherwise = (): Reply => {
    if (compiled === null) return { lastErrorObject: { n: 0 }, value: null };
    if (!isUpsert) return { lastErrorObject: { n: 0, updatedExisting: false }, value: null };
    const { id, bytes } = insertUpserted(context, collection, filter, compiled);
    const value = isTruthy(command.new) ? rawDocument(bytes) : null;
    return { lastErrorObject: { n: 1, updatedExisting: false, upserted: id }, value };
  };
  try {
    const query = statementQuery(filter, false);
    const onMatch = (document: StoredDocument) => run(() => step(document));
    return await atFirstMatch(context, collection, query, onMatch, () => run(otherwise));
  } finally {
    if (!isDeferred) await engine.commit(transaction);
  }
}
