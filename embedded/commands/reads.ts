import { Long } from "bson";
import { badValue, DatabaseError, failedToParse } from "../errors";
import { topField, walkLeaves } from "../query/paths";
import { parsePipeline } from "../query/pipeline";
import { describePlan, type Query } from "../query/planner";
import { compileProjection, projectBytes } from "../query/projection";
import { runQuery, type QueryResult } from "../query/run-query";
import { parseSort } from "../query/sort";
import { pickFields } from "../values/bson-bytes";
import { encodeValue } from "../values/key-encoding";
import { isDoc, isList, isTruthy, toInteger, type Doc } from "../values/values";
import {
  collectionName,
  findCollection,
  optionalNumber,
  requireFields,
  type Command,
  type CommandContext,
  type Reply,
} from "./context";

export function filterOf(value: unknown, field: string): Doc {
  if (value === undefined || value === null) return {};
  if (!isDoc(value)) throw failedToParse(`the ${field} must be a document`);
  return value;
}

function findQuery(context: CommandContext, filterField: "filter" | "query"): Query {
  const { command } = context;
  const { sort } = command;
  const isNatural = isDoc(sort) && "$natural" in sort;
  return {
    filter: filterOf(command[filterField], filterField),
    sort: isNatural ? [] : parseSort(sort),
    skip: toInteger(command.skip ?? 0, "skip", 0),
    limit: Math.abs(toInteger(command.limit ?? 0, "limit")),
    hint: isNatural ? sort : command.hint,
  };
}

function find(context: CommandContext): Reply {
  const { command, cursors, sessionKey, transaction } = context;
  const query = findQuery(context, "filter");
  const projection = compileProjection(command.projection);
  const { documents } = runQuery(findCollection(context), query, transaction);
  const givenBatch = optionalNumber(command.batchSize);
  return cursors.open({
    namespace: `${context.database}.${collectionName(context)}`,
    documents: documents.map(({ bytes }) => bytes),
    project: (bytes) => projectBytes(bytes, projection),
    sessionKey,
    batchSize: givenBatch === undefined ? undefined : Math.abs(givenBatch),
    isSingleBatch: isTruthy(command.singleBatch) || toInteger(command.limit ?? 0, "limit") < 0,
  });
}

function getMore(context: CommandContext): Reply {
  const { command, cursors, database } = context;
  if (!(command.getMore instanceof Long)) throw badValue("getMore needs a cursor id of type long");
  const batchSize = optionalNumber(command.batchSize);
  return cursors.more(String(command.getMore), `${database}.${String(command.collection)}`, batchSize || undefined);
}

function killCursors({ command, cursors }: CommandContext): Reply {
  const ids = isList(command.cursors) ? command.cursors : [];
  const killed = ids.filter((id) => cursors.kill(String(id)));
  const missing = ids.filter((id) => !killed.includes(id));
  return { cursorsKilled: killed, cursorsNotFound: missing, cursorsAlive: [], cursorsUnknown: [] };
}

function count(context: CommandContext): Reply {
  const query = findQuery(context, "query");
  const collection = findCollection(context);
  if (collection && Object.keys(query.filter).length === 0) {
    const total = Math.max(0, collection.count(context.transaction) - query.skip);
    return { n: query.limit > 0 ? Math.min(total, query.limit) : total };
  }
  return { n: runQuery(collection, query, context.transaction).documents.length };
}

function distinct(context: CommandContext): Reply {
  const { key } = context.command;
  if (typeof key !== "string" || key === "") throw badValue("distinct needs the field name 'key'");
  const values = new Map<string, unknown>();
  const { documents } = runQuery(findCollection(context), findQuery(context, "query"), context.transaction);
  const field = new Set([topField(key)]);
  for (const { bytes } of documents) {
    walkLeaves(pickFields(bytes, field), key.split("."), (value) => {
      if (value !== undefined && !isList(value)) values.set(encodeValue(value), value);
      return false;
    });
  }
  return { values: [...values].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, value]) => value) };
}

function aggregate(context: CommandContext): Reply {
  const { command, cursors, database, sessionKey } = context;
  if (command.explain === true) return explainAggregate(context);
  if (!isDoc(command.cursor)) {
    throw failedToParse("The 'cursor' option is required, except for aggregate with the explain argument");
  }
  requireFields(command.cursor, "aggregate.cursor", ["batchSize"]);
  const { result, finish } = startPipeline(context);
  const found = result.documents.map(({ bytes }) => bytes);
  const documents = finish ? finish(found) : found;
  return cursors.open({
    namespace: `${database}.${collectionName(context)}`,
    documents,
    project: (bytes) => bytes,
    sessionKey,
    batchSize: optionalNumber(command.cursor.batchSize),
    isSingleBatch: false,
  });
}

/** Runs the leading stages of an aggregation as a query. */
function startPipeline(context: CommandContext) {
  const { command, transaction } = context;
  const { query, finish } = parsePipeline(command.pipeline);
  return { query, finish, result: runQuery(findCollection(context), { ...query, hint: command.hint }, transaction) };
}

function describeResult(context: CommandContext, result: QueryResult, query: Pick<Query, "sort" | "filter">): Reply {
  return {
    queryPlanner: {
      namespace: `${context.database}.${collectionName(context)}`,
      parsedQuery: query.filter,
      winningPlan: describePlan(result.plan, query.sort),
    },
    executionStats: {
      nReturned: result.documents.length,
      totalKeysExamined: result.keysExamined,
      totalDocsExamined: result.documentsExamined,
    },
  };
}

function explainAggregate(context: CommandContext): Reply {
  const { query, result } = startPipeline(context);
  return describeResult(context, result, query);
}

/** Runs the reading part of a command and tells how it was done; nothing is changed. */
function explain(context: CommandContext): Reply {
  const { explain: inner } = context.command;
  const name = isDoc(inner) ? Object.keys(inner)[0] : undefined;
  const command = name === undefined ? undefined : readCommands[name];
  if (!isDoc(inner) || name === undefined || command === undefined || name === "explain") {
    throw new DatabaseError(59, `Explain failed due to unknown command: ${String(name)}`);
  }
  const innerContext = { ...context, name, command: inner };
  if (name === "aggregate") return explainAggregate(innerContext);
  if (!["find", "count", "distinct"].includes(name)) throw badValue(`Command ${name} cannot be explained`);
  const query = findQuery(innerContext, name === "find" ? "filter" : "query");
  return describeResult(innerContext, runQuery(findCollection(innerContext), query, context.transaction), query);
}

export const readCommands: Readonly<Record<string, Command>> = {
  find: {
    fields: [
      "filter",
      "sort",
      "projection",
      "hint",
      "skip",
      "limit",
      "batchSize",
      "singleBatch",
      "allowDiskUse",
      "noCursorTimeout",
    ],
    inTransaction: true,
    reads: true,
    run: find,
  },
  getMore: { fields: ["collection", "batchSize"], inTransaction: true, run: getMore },
  killCursors: { fields: ["cursors"], inTransaction: true, run: killCursors },
  count: { fields: ["query", "limit", "skip", "hint"], reads: true, run: count },
  distinct: { fields: ["key", "query", "hint"], inTransaction: true, reads: true, run: distinct },
  aggregate: {
    fields: ["pipeline", "cursor", "explain", "hint", "allowDiskUse", "bypassDocumentValidation"],
    inTransaction: true,
    reads: true,
    run: aggregate,
  },
  explain: { fields: ["verbosity"], reads: true, run: explain },
};
