import { Long } from "bson";
import { badValue, DatabaseError, failedToParse } from "../errors";
import { compileFilter } from "../query/matcher";
import { walkLeaves } from "../query/paths";
import { countField, parsePipeline, runStages, splitPipeline, type PipelineSource } from "../query/pipeline";
import { describePlan } from "../query/planner";
import { compileProjection, projectBytes } from "../query/projection";
import { runQuery, type Query, type QueryResult } from "../query/run-query";
import { parseSort } from "../query/sort";
import { decodeDoc, decodePlain, encodeDoc } from "../values/bson-bytes";
import { encodeValue } from "../values/key-encoding";
import { isDoc, isList, isTruthy, toInteger, toPlain, type Doc } from "../values/values";
import {
  collectionName,
  findCollection,
  optionalNumber,
  requireFields,
  requireSimpleCollation,
  scopeOf,
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
  requireSimpleCollation(command.collation);
  const { sort } = command;
  const isNatural = isDoc(sort) && "$natural" in sort;
  return {
    filter: filterOf(command[filterField], filterField),
    scope: scopeOf(context),
    sort: isNatural ? [] : parseSort(sort),
    skip: toInteger(command.skip ?? 0, "skip", 0),
    limit: Math.abs(toInteger(command.limit ?? 0, "limit")),
    hint: isNatural ? sort : command.hint,
  };
}

function find(context: CommandContext): Reply {
  const { command, cursors, sessionKey, transaction } = context;
  const query = findQuery(context, "filter");
  const projection = compileProjection(command.projection, query.scope);
  const needsPosition = isDoc(command.projection) && Object.keys(command.projection).some((key) => key.endsWith(".$"));
  const matcher = needsPosition ? compileFilter(query.filter, query.scope) : null;
  const { documents } = runQuery(findCollection(context), query, transaction);
  const givenBatch = optionalNumber(command.batchSize);
  return cursors.open({
    namespace: `${context.database}.${collectionName(context)}`,
    documents: documents.map(({ bytes }) => bytes),
    project: (bytes) => {
      const position = {};
      matcher?.matches(decodeDoc(bytes), position);
      return projectBytes(bytes, projection, position);
    },
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
  for (const { bytes } of documents) {
    walkLeaves(decodeDoc(bytes), key.split("."), (value) => {
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
  const { result, rest, source } = startPipeline(context);
  const counted = countField(rest);
  let documents: Buffer[];
  if (counted !== null) {
    const total = result.documents.length;
    documents = total > 0 ? [encodeDoc({ _id: null, [counted]: total })] : [];
  } else if (rest.length === 0) documents = result.documents.map(({ bytes }) => bytes);
  else {
    const input = result.documents.map(({ bytes }) => decodePlain(bytes));
    documents = runStages(input, rest, source).map(encodeDoc);
  }
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
  requireSimpleCollation(command.collation);
  const scope = scopeOf(context);
  const { query, rest } = splitPipeline(parsePipeline(toPlain(command.pipeline)));
  const source: PipelineSource = { scope, transaction, collection: (name) => findCollection(context, name) };
  const result = runQuery(findCollection(context), { ...query, scope, hint: command.hint }, transaction);
  return { query, rest, source, result };
}

function describeResult(context: CommandContext, result: QueryResult, query: Pick<Query, "sort" | "filter">): Reply {
  return {
    queryPlanner: {
      namespace: `${context.database}.${collectionName(context)}`,
      parsedQuery: query.filter,
      winningPlan: describePlan(result.plan, query.sort),
      rejectedPlans: [],
    },
    executionStats: {
      executionSuccess: true,
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
    throw new DatabaseError(59, "CommandNotFound", `Explain failed due to unknown command: ${String(name)}`);
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
      "collation",
      "let",
      "allowDiskUse",
      "noCursorTimeout",
    ],
    inTransaction: true,
    run: find,
  },
  getMore: { fields: ["collection", "batchSize"], inTransaction: true, run: getMore },
  killCursors: { fields: ["cursors"], inTransaction: true, run: killCursors },
  count: { fields: ["query", "limit", "skip", "hint", "collation"], run: count },
  distinct: { fields: ["key", "query", "hint", "collation"], inTransaction: true, run: distinct },
  aggregate: {
    fields: ["pipeline", "cursor", "explain", "hint", "collation", "let", "allowDiskUse", "bypassDocumentValidation"],
    inTransaction: true,
    run: aggregate,
  },
  explain: { fields: ["verbosity"], run: explain },
};
