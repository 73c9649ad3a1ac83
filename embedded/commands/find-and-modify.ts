import { failedToParse } from "../errors";
import { compileProjection, projectBytes } from "../query/projection";
import type { StoredDocument } from "../storage/stored-document";
import { compileUpdate } from "../update/apply-update";
import { rawDocument } from "../values/bson-bytes";
import { isTruthy } from "../values/values";
import { atFirstMatch, insertUpserted, modify, statementQuery, target } from "./changes";
import type { CommandContext, Reply } from "./context";
import { filterOf } from "./reads";

/** Changes or removes the first match, or inserts one, and gives it as it was or is. */
export async function findAndModify(context: CommandContext): Promise<Reply> {
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
