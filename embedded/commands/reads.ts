import { Long } from "bson";
import { badValue, failedToParse } from "../errors";
import { planQuery, type Query } from "../query/planner";
import { topField, walkLeaves } from "../query/paths";
import { parsePipeline } from "../query/pipeline";
import { compileProjection, projectBytes } from "../query/projection";
import { runQuery } from "../query/run-query";
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

function queryOf({ filter, sort, limit }: Doc): Query {
  return { filter: filterOf(filter, "filter"), sort: parseSort(sort), limit: toInteger(limit ?? 0, "limit", 0) };
}

function find(context: CommandContext): Reply {
  const { command, cursors, sessionKey, transaction } = context;
  const projection = compileProjection(command.projection);
  const documents = runQuery(findCollection(context), queryOf(command), transaction);
  return cursors.open({
    namespace: `${context.database}.${collectionName(context)}`,
    documents: documents.map(({ bytes }) => bytes),
    project: (bytes) => projectBytes(bytes, projection),
    sessionKey,
    batchSize: optionalNumber(command.batchSize),
    isSingleBatch: isTruthy(command.singleBatch),
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

function distinct(context: CommandContext): Reply {
  const { key, query } = context.command;
  if (typeof key !== "string" || key === "") throw badValue("distinct needs the field name 'key'");
  const values = new Map<string, unknown>();
  const wanted = { filter: filterOf(query, "query"), sort: [], limit: 0 };
  const documents = runQuery(findCollection(context), wanted, context.transaction);
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
  const { command, cursors, database, sessionKey, transaction } = context;
  if (!isDoc(command.cursor)) {
    throw failedToParse("The 'cursor' option is required");
  }
  requireFields(command.cursor, "aggregate.cursor", ["batchSize"]);
  const { query, finish } = parsePipeline(command.pipeline);
  const found = runQuery(findCollection(context), query, transaction).map(({ bytes }) => bytes);
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

function explain(context: CommandContext): Reply {
  const { explain: command } = context.command;
  const [name = ""] = isDoc(command) ? Object.keys(command) : [];
  if (!isDoc(command) || !["find", "aggregate"].includes(name)) throw badValue(`${name} cannot be explained`);
  const collection = findCollection({ ...context, name, command });
  const query = name === "find" ? queryOf(command) : parsePipeline(command.pipeline).query;
  const plan = collection && planQuery(collection, query);
  const winningPlan = plan?.kind === "index" ? { stage: "IXSCAN", indexName: plan.index.name } : { stage: "COLLSCAN" };
  return { queryPlanner: { winningPlan } };
}

export const readCommands: Readonly<Record<string, Command>> = {
  find: {
    fields: ["filter", "sort", "projection", "limit", "batchSize", "singleBatch"],
    inTransaction: true,
    reads: true,
    run: find,
  },
  getMore: { fields: ["collection", "batchSize"], inTransaction: true, run: getMore },
  killCursors: { fields: ["cursors"], inTransaction: true, run: killCursors },
  distinct: { fields: ["key", "query"], inTransaction: true, reads: true, run: distinct },
  aggregate: { fields: ["pipeline", "cursor"], inTransaction: true, reads: true, run: aggregate },
  explain: { fields: ["verbosity"], reads: true, run: explain },
};
