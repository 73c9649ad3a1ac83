import { Aggregator } from "mingo/aggregator";
import { Lazy, type Iterator } from "mingo/lazy";
import * as mingo from "mingo/operators/pipeline";
import type { Options, PipelineOperator } from "mingo/types";
import { DatabaseError, failedToParse, typeMismatch } from "../errors";
import { encodeValue } from "../values/key-encoding";
import { cloneDoc, isDoc, isList, toInteger, type Doc } from "../values/values";
import { guardMingo, mingoOptions, validateAccumulator, validateExpression } from "./expressions";
import { compileFilter } from "./matcher";
import { walkLeaves } from "./paths";
import { compileProjection } from "./projection";
import { type Query } from "./planner";
import { parseSort, sortByFields } from "./sort";

/*
 * Aggregation is mingo's, but for the stages in which it differs from MongoDB or from `find`: $match, $sort, $project.
 */

interface NamedStage {
  readonly name: string;
  readonly operand: unknown;
}

function requireDoc(operand: unknown, name: string): Doc {
  if (!isDoc(operand)) throw failedToParse(`the ${name} stage specification must be an object`);
  return operand;
}

type Lookup = Parameters<typeof mingo.$lookup>[1] & Readonly<Record<"from" | "localField" | "foreignField", string>>;

/** The operand has been checked by `parsePipeline`. */
type Stage = (docs: Iterator, operand: never, options: Options) => Iterator;

function project(docs: Iterator, operand: Doc, options: Options): Iterator {
  const projection = compileProjection(operand, options);
  if (projection === null) throw new DatabaseError(51272, "Invalid $project :: it must have at least one field");
  return docs.map(projection);
}

/** mingo writes nested fields in place, and earlier stages let documents share their parts. */
function setFields(docs: Iterator, operand: Doc, options: Options): Iterator {
  const isNested = Object.keys(operand).some((path) => path.includes("."));
  return mingo.$set(isNested ? docs.map(cloneDoc) : docs, operand, options);
}

/** By fields done here: mingo would add a null for every element of a local array that finds nothing. */
function lookup(docs: Iterator, operand: Lookup, options: Options): Iterator {
  if (operand.pipeline !== undefined) return mingo.$lookup(docs, operand, options);
  const others = options.collectionResolver?.(operand.from) ?? [];
  const localParts = operand.localField.split(".");
  return docs.map((doc: Doc) => {
    const values: unknown[] = [];
    walkLeaves(doc, localParts, (value) => {
      values.push(value ?? null);
      return false;
    });
    const { matches } = compileFilter({ [operand.foreignField]: { $in: values } });
    return { ...doc, [operand.as]: others.filter(matches) };
  });
}

const stages: Readonly<Record<string, Stage>> = {
  $match: (docs, operand: Doc, options) => {
    const { matches } = compileFilter(operand, options);
    return docs.filter((doc: Doc) => matches(doc));
  },
  $sort: (docs, operand: Doc) => {
    const fields = parseSort(operand);
    return docs.transform((all: Doc[]) => Lazy(sortByFields(all, fields, (doc) => doc)));
  },
  $project: project,
  $unset: (docs, paths: string | string[], options) =>
    project(docs, Object.fromEntries([paths].flat().map((path) => [path, 0])), options),
  $set: setFields,
  $addFields: setFields,
  $group: mingo.$group,
  $unwind: mingo.$unwind,
  $lookup: lookup,
  $facet: mingo.$facet,
  $count: (docs, name: string) => docs.transform((all: Doc[]) => Lazy(all.length > 0 ? [{ [name]: all.length }] : [])),
  $limit: mingo.$limit,
  $skip: mingo.$skip,
  $replaceRoot: mingo.$replaceRoot,
  $replaceWith: mingo.$replaceWith,
};

const mingoStages = mingoOptions(stages as Record<string, PipelineOperator>);

function limitOf(operand: unknown): number {
  const limit = toInteger(operand, "$limit");
  if (limit <= 0) throw new DatabaseError(15958, "the limit must be positive");
  return limit;
}

function validateLookup(operand: Doc): void {
  const byField = ["from", "localField", "foreignField", "as"];
  const byPipeline = ["from", "let", "pipeline", "as"];
  const fields = operand.pipeline === undefined ? byField : byPipeline;
  const unknown = Object.keys(operand).find((key) => !fields.includes(key));
  if (unknown !== undefined) throw failedToParse(`$lookup takes ${fields.join(", ")}, not ${unknown}`);
  if (operand.pipeline !== undefined) parsePipeline(operand.pipeline);
  for (const key of fields.filter((field) => field !== "let" && field !== "pipeline")) {
    const value = operand[key];
    if (typeof value !== "string" || value === "") throw failedToParse(`$lookup needs a name as ${key}`);
  }
  if (String(operand.as).includes(".")) throw failedToParse("$lookup takes a top-level field as 'as'");
}

/** Refuses an operand that mingo would take without a word, or fail on only when a document comes. */
function validateOperand(name: string, operand: unknown): void {
  if (name === "$limit") limitOf(operand);
  else if (name === "$skip") toInteger(operand, name, 0);
  else if (name === "$count") {
    if (typeof operand !== "string" || !/^[^$.][^.]*$/.test(operand)) throw failedToParse("$count needs a field name");
  } else if (name === "$unset") {
    if ([operand].flat().some((path) => typeof path !== "string")) throw failedToParse("$unset takes field names");
  } else if (name === "$unwind") {
    const path = isDoc(operand) ? operand.path : operand;
    if (typeof path !== "string" || !path.startsWith("$")) throw new DatabaseError(28818, "$unwind needs a '$path'");
  } else if (name === "$replaceWith") validateExpression(operand);
  else validateSpecification(name, requireDoc(operand, name));
}

function validateSpecification(name: string, operand: Doc): void {
  if (name === "$match") compileFilter(operand);
  else if (name === "$sort") parseSort(operand);
  else if (name === "$facet") Object.values(operand).forEach(parsePipeline);
  else if (name === "$lookup") validateLookup(operand);
  else if (name === "$group") {
    const { _id: id, ...fields } = operand;
    if (id === undefined) throw new DatabaseError(15955, "a group specification must include an _id");
    validateExpression(id);
    Object.values(fields).forEach(validateAccumulator);
  } else if (name === "$project") compileProjection(operand);
  else validateExpression(operand);
}

/** Reads a pipeline; throws for a stage that is unknown, or known to MongoDB and missing here. */
export function parsePipeline(pipeline: unknown): NamedStage[] {
  if (!isList(pipeline)) throw typeMismatch("'pipeline' option must be specified as an array");
  return pipeline.map((stage) => {
    const [name, ...others] = isDoc(stage) ? Object.keys(stage) : [];
    if (!isDoc(stage) || name === undefined || others.length > 0) {
      throw new DatabaseError(40323, "A pipeline stage specification object must contain exactly one field.");
    }
    if (!Object.hasOwn(stages, name)) {
      throw new DatabaseError(40324, `Unrecognized pipeline stage name: '${name}'`);
    }
    validateOperand(name, stage[name]);
    return { name, operand: stage[name] };
  });
}

/** Runs stages on documents of plain numbers; `load` gives all documents of a collection that is looked up. */
export function runStages(docs: Doc[], rest: readonly NamedStage[], load: (name: string) => Doc[]): Doc[] {
  const pipeline = rest.map(({ name, operand }) => ({ [name]: operand }));
  return guardMingo(() => new Aggregator(pipeline, { ...mingoStages, collectionResolver: load }).run<Doc>(docs));
}

/** The leading stages as one query, so that they can use an index, and the stages that remain. */
export function splitPipeline(all: readonly NamedStage[]): {
  readonly query: Pick<Query, "filter" | "sort" | "skip" | "limit">;
  readonly rest: readonly NamedStage[];
} {
  let at = 0;
  const take = (name: string) => (all[at]?.name === name ? all[at++]?.operand : undefined);
  const filters: Doc[] = [];
  while (all[at]?.name === "$match") filters.push(requireDoc(take("$match"), "$match"));
  const sort = parseSort(take("$sort"));
  const skip = toInteger(take("$skip") ?? 0, "$skip", 0);
  const limit = take("$limit");
  const filter = filters.length > 1 ? { $and: filters } : (filters[0] ?? {});
  return { query: { filter, sort, skip, limit: limit === undefined ? 0 : limitOf(limit) }, rest: all.slice(at) };
}

/** What the driver's `countDocuments` sends behind the `$match`; it needs no document decoded. */
const countStage = encodeValue({ name: "$group", operand: { _id: 1, n: { $sum: 1 } } });
export const isCount = (rest: readonly NamedStage[]): boolean =>
  rest.length === 1 && encodeValue(rest[0]) === countStage;

const updateStages = ["$set", "$addFields", "$unset", "$project", "$replaceRoot", "$replaceWith"];

/** Runs the pipeline of an update on one document; `_id` stays. */
export function runUpdatePipeline(doc: Doc, pipeline: unknown): Doc {
  const parsed = parsePipeline(pipeline);
  for (const { name } of parsed) {
    if (!updateStages.includes(name)) throw new DatabaseError(72, `${name} is not allowed within an update`);
  }
  const [result] = runStages([doc], parsed, () => []);
  return { ...(Object.hasOwn(doc, "_id") ? { _id: doc._id } : {}), ...result };
}
