import { Aggregator } from "mingo/aggregator";
import { DatabaseError, failedToParse, invalidOptions, location, typeMismatch } from "../errors";
import { type Collection } from "../storage/collection";
import { type Transaction } from "../storage/transaction";
import { decodePlain } from "../values/bson-bytes";
import { encodeValue } from "../values/key-encoding";
import { cloneDoc, isDoc, isList, isTruthy, setOwn, toInteger, type Doc } from "../values/values";
import {
  compileExpression,
  evaluateVariables,
  guardMingo,
  mingoOptions,
  validateExpression,
  type Scope,
} from "./expressions";
import { compileFilter } from "./matcher";
import { walkLeaves } from "./paths";
import { compileProjection } from "./projection";
import { runQuery, type Query } from "./run-query";
import { parseSort, sortByFields } from "./sort";

/** What stages may reach besides the documents given to them. */
export interface PipelineSource {
  readonly scope: Scope;
  readonly transaction: Transaction | null;
  readonly collection: (name: string) => Collection | null;
}

type Stage = (docs: Doc[], operand: unknown, source: PipelineSource) => Doc[];

interface NamedStage {
  readonly name: string;
  readonly operand: unknown;
}

function requireDoc(operand: unknown, name: string): Doc {
  if (!isDoc(operand)) throw failedToParse(`the ${name} stage specification must be an object`);
  return operand;
}

function requirePath(operand: unknown, name: string): string {
  if (typeof operand !== "string" || operand === "") throw failedToParse(`${name} needs a field name`);
  return operand;
}

/** Runs stages of mingo whose operand holds expressions only. */
function byMingo(name: string): Stage {
  return (docs, operand, { scope }) => {
    validateExpression(operand);
    const isNested = isDoc(operand) && Object.keys(operand).some((path) => path.includes("."));
    // mingo writes nested fields in place, and earlier stages let documents share their parts.
    const input = isNested ? docs.map(cloneDoc) : docs;
    return guardMingo(() => new Aggregator([{ [name]: operand }], mingoOptions(scope)).run<Doc>(input));
  };
}

function group(docs: Doc[], operand: unknown, { scope }: PipelineSource): Doc[] {
  const { _id: idExpression, ...fields } = requireDoc(operand, "$group");
  if (!Object.hasOwn(requireDoc(operand, "$group"), "_id")) {
    throw location(15955, "a group specification must include an _id");
  }
  for (const field of Object.values(fields)) {
    if (!isDoc(field)) throw location(40234, "The field must be an accumulator object");
    validateExpression(field, true);
  }
  const idOf = compileExpression(idExpression, scope);
  const groups = new Map<string, { id: unknown; members: Doc[] }>();
  for (const doc of docs) {
    const id = idOf(doc) ?? null;
    const key = encodeValue(id);
    const existing = groups.get(key);
    if (existing) existing.members.push(doc);
    else groups.set(key, { id, members: [doc] });
  }
  const aggregator = new Aggregator([{ $group: { ...fields, _id: null } }], mingoOptions(scope));
  return Array.from(groups.values(), ({ id, members }) => {
    const [result] = guardMingo(() => aggregator.run<Doc>(members));
    return { ...result, _id: id };
  }).map(({ _id, ...rest }) => ({ _id, ...rest }));
}

/** A copy of the document with another value at a path; the parts beside it are shared. */
function withPath(doc: Doc, [part = "", ...rest]: readonly string[], value: unknown): Doc {
  const copy = { ...doc };
  const child = copy[part];
  if (rest.length > 0) setOwn(copy, part, withPath(isDoc(child) ? child : {}, rest, value));
  else if (value === undefined) Reflect.deleteProperty(copy, part);
  else setOwn(copy, part, value);
  return copy;
}

function unwind(docs: Doc[], operand: unknown): Doc[] {
  const spec: Doc = typeof operand === "string" ? { path: operand } : requireDoc(operand, "$unwind");
  const path = requirePath(spec.path, "$unwind");
  if (!path.startsWith("$"))
    throw location(28818, `path option to $unwind stage should be prefixed with a '$': ${path}`);
  const parts = path.slice(1).split(".");
  const keepsEmpty = isTruthy(spec.preserveNullAndEmptyArrays);
  const indexField = spec.includeArrayIndex === undefined ? null : requirePath(spec.includeArrayIndex, "$unwind");
  const withIndex = (doc: Doc, index: number | null) => (indexField === null ? doc : { ...doc, [indexField]: index });
  return docs.flatMap((doc) => {
    const value = parts.reduce<unknown>((parent, part) => (isDoc(parent) ? parent[part] : undefined), doc);
    if (isList(value) && value.length > 0) {
      return value.map((element, index) => withIndex(withPath(doc, parts, element), index));
    }
    if (!isList(value) && value !== undefined && value !== null) return [withIndex(doc, null)];
    return keepsEmpty ? [withIndex(isList(value) ? withPath(doc, parts, undefined) : doc, null)] : [];
  });
}

const plainQuery = (filter: Doc, scope: Scope): Query => ({
  filter,
  scope,
  sort: [],
  skip: 0,
  limit: 0,
  hint: undefined,
});

function loadAll(name: unknown, filter: Doc, source: PipelineSource): Doc[] {
  const collection = source.collection(requirePath(name, "from"));
  const { documents } = runQuery(collection, plainQuery(filter, source.scope), source.transaction);
  return documents.map(({ bytes }) => decodePlain(bytes));
}

function lookup(docs: Doc[], operand: unknown, source: PipelineSource): Doc[] {
  const spec = requireDoc(operand, "$lookup");
  const unknown = Object.keys(spec).find(
    (key) => !["from", "localField", "foreignField", "as", "let", "pipeline"].includes(key),
  );
  if (unknown !== undefined) throw failedToParse(`unknown argument to $lookup: ${unknown}`);
  const as = requirePath(spec.as, "$lookup.as").split(".");
  const byField = spec.localField !== undefined || spec.foreignField !== undefined;
  const localField = byField ? requirePath(spec.localField, "$lookup.localField").split(".") : [];
  const foreignField = byField ? requirePath(spec.foreignField, "$lookup.foreignField") : "";
  const stages = spec.pipeline === undefined ? null : parsePipeline(spec.pipeline);
  return docs.map((doc) => {
    const values: unknown[] = [];
    walkLeaves(doc, localField, (value) => {
      values.push(value ?? null);
      return false;
    });
    const found = loadAll(spec.from, byField ? { [foreignField]: { $in: values } } : {}, source);
    const scope = stages === null ? source.scope : evaluateVariables(spec.let, doc, source.scope);
    return withPath(doc, as, stages === null ? found : runStages(found, stages, { ...source, scope }));
  });
}

function unionWith(docs: Doc[], operand: unknown, source: PipelineSource): Doc[] {
  const spec: Doc = typeof operand === "string" ? { coll: operand } : requireDoc(operand, "$unionWith");
  const others = loadAll(spec.coll, {}, source);
  return [...docs, ...(spec.pipeline === undefined ? others : runStages(others, parsePipeline(spec.pipeline), source))];
}

function sample(docs: Doc[], operand: unknown): Doc[] {
  const size = toInteger(requireDoc(operand, "$sample").size, "$sample.size", 0);
  return docs
    .map((doc) => ({ doc, place: Math.random() }))
    .sort((a, b) => a.place - b.place)
    .slice(0, size)
    .map(({ doc }) => doc);
}

function project(docs: Doc[], operand: unknown, { scope }: PipelineSource): Doc[] {
  const projection = compileProjection(requireDoc(operand, "$project"), scope);
  if (projection === null) {
    throw location(51272, "Invalid $project :: projection specification must have at least one field");
  }
  return docs.map((doc) => projection(doc, null));
}

const stageTable: Readonly<Record<string, Stage>> = {
  $match: (docs, operand, { scope }) => {
    const { matches } = compileFilter(requireDoc(operand, "$match"), scope);
    return docs.filter((doc) => matches(doc));
  },
  $sort: (docs, operand) => sortByFields(docs, parseSort(requireDoc(operand, "$sort")), (doc) => doc),
  $limit: (docs, operand) => docs.slice(0, limitOf(operand)),
  $skip: (docs, operand) => docs.slice(toInteger(operand, "$skip", 0)),
  $project: project,
  $unset: (docs, operand, source) => {
    const paths = isList(operand) ? operand : [operand];
    return project(docs, Object.fromEntries(paths.map((path) => [requirePath(path, "$unset"), 0])), source);
  },
  $count: (docs, operand) => (docs.length > 0 ? [{ [requirePath(operand, "$count")]: docs.length }] : []),
  $facet: (docs, operand, source) => [
    Object.fromEntries(
      Object.entries(requireDoc(operand, "$facet")).map(([name, stages]) => [
        name,
        runStages(docs, parsePipeline(stages), source),
      ]),
    ),
  ],
  $sortByCount: (docs, operand, source) => {
    const counted = group(docs, { _id: operand, count: { $sum: 1 } }, source);
    return sortByFields(counted, parseSort({ count: -1 }), (doc) => doc);
  },
  $group: group,
  $unwind: unwind,
  $lookup: lookup,
  $unionWith: unionWith,
  $sample: sample,
  $addFields: byMingo("$addFields"),
  $set: byMingo("$set"),
  $replaceRoot: byMingo("$replaceRoot"),
  $replaceWith: byMingo("$replaceWith"),
  $bucket: byMingo("$bucket"),
};

function limitOf(operand: unknown): number {
  const limit = toInteger(operand, "$limit");
  if (limit <= 0) throw location(15958, "the limit must be positive");
  return limit;
}

/** Reads a pipeline; throws for a stage that is unknown, or known to MongoDB and missing here. */
export function parsePipeline(pipeline: unknown): NamedStage[] {
  if (!isList(pipeline)) throw typeMismatch("'pipeline' option must be specified as an array");
  return pipeline.map((stage) => {
    const [name, ...others] = isDoc(stage) ? Object.keys(stage) : [];
    if (!isDoc(stage) || name === undefined || others.length > 0) {
      throw location(40323, "A pipeline stage specification object must contain exactly one field.");
    }
    if (!Object.hasOwn(stageTable, name)) throw location(40324, `Unrecognized pipeline stage name: '${name}'`);
    const operand = stage[name];
    if (name === "$facet") Object.values(requireDoc(operand, name)).forEach(parsePipeline);
    if ((name === "$lookup" || name === "$unionWith") && isDoc(operand) && operand.pipeline !== undefined) {
      parsePipeline(operand.pipeline);
    }
    return { name, operand };
  });
}

export function runStages(docs: Doc[], stages: readonly NamedStage[], source: PipelineSource): Doc[] {
  return stages.reduce((current, { name, operand }) => {
    const stage = stageTable[name];
    if (stage === undefined) throw new DatabaseError(1, "InternalError", `no stage ${name}`);
    return stage(current, operand, source);
  }, docs);
}

/** The leading stages as one query, so that they can use an index, and the stages that remain. */
export function splitPipeline(stages: readonly NamedStage[]): {
  readonly query: Pick<Query, "filter" | "sort" | "skip" | "limit">;
  readonly rest: readonly NamedStage[];
} {
  let at = 0;
  const take = (name: string) => (stages[at]?.name === name ? [stages[at++]?.operand] : []);
  const filters: Doc[] = [];
  while (stages[at]?.name === "$match") filters.push(...take("$match").map((operand) => requireDoc(operand, "$match")));
  const [sort] = take("$sort");
  const [skip] = take("$skip");
  const [limit] = take("$limit");
  const query = {
    filter: filters.length === 1 ? (filters[0] ?? {}) : filters.length === 0 ? {} : { $and: filters },
    sort: parseSort(sort),
    skip: skip === undefined ? 0 : toInteger(skip, "$skip", 0),
    limit: limit === undefined ? 0 : limitOf(limit),
  };
  return { query, rest: stages.slice(at) };
}

/** The name under which a stage only counts its documents, as the driver's `countDocuments` asks; null for others. */
export function countField(stages: readonly NamedStage[]): string | null {
  const [stage] = stages;
  if (stages.length !== 1 || stage?.name !== "$group" || !isDoc(stage.operand)) return null;
  const { _id, ...fields } = stage.operand;
  const [name, ...others] = Object.keys(fields);
  if (name === undefined || others.length > 0 || (_id !== null && typeof _id !== "number")) return null;
  const accumulator = fields[name];
  return isDoc(accumulator) && accumulator.$sum === 1 && Object.keys(accumulator).length === 1 ? name : null;
}

const updateStages = ["$set", "$addFields", "$unset", "$project", "$replaceRoot", "$replaceWith"];

/** Runs the pipeline of an update on one document; `_id` stays. */
export function runUpdatePipeline(doc: Doc, stages: readonly unknown[], scope: Scope): Doc {
  const parsed = parsePipeline(stages);
  for (const { name } of parsed) {
    if (!updateStages.includes(name)) throw invalidOptions(`${name} is not allowed to be used within an update`);
  }
  const [result] = runStages([doc], parsed, { scope, transaction: null, collection: () => null });
  return { ...(Object.hasOwn(doc, "_id") ? { _id: doc._id } : {}), ...result };
}
