import { Int32 } from "bson";
import { DatabaseError, failedToParse, typeMismatch } from "../errors";
import { encodeDoc, pickFields } from "../values/bson-bytes";
import { encodeValue } from "../values/key-encoding";
import { getOwn, isDoc, isList, setOwn, toNumber, type Doc } from "../values/values";
import type { Query } from "./planner";
import { parseSort } from "./sort";

// A query, then at most `$count`, or `$group` with `$first` and `{ $sum: 1 }`. Everything else is refused.

/** Processes the documents of the query; null: they are the result. */
type Finish = ((documents: readonly Buffer[]) => Buffer[]) | null;

interface Pipeline {
  readonly query: Query;
  readonly finish: Finish;
}

function requireDoc(operand: unknown, name: string): Doc {
  if (!isDoc(operand)) throw failedToParse(`the ${name} stage specification must be an object`);
  return operand;
}

function fieldOf(expression: unknown): string {
  const name = typeof expression === "string" ? /^\$([^$.\0]+)$/.exec(expression)?.[1] : undefined;
  if (name === undefined) throw new DatabaseError(168, `Unrecognized expression ${JSON.stringify(expression)}`);
  return name;
}

const counting =
  (name: string): Finish =>
  (documents) =>
    documents.length === 0 ? [] : [encodeDoc({ [name]: new Int32(documents.length) })];

function parseCount(operand: unknown): Finish {
  if (typeof operand !== "string" || !/^[^$.\0]+$/.test(operand)) throw failedToParse("$count needs a field name");
  return counting(operand);
}

function parseAccumulator(name: string, given: unknown): string | null {
  if (!isDoc(given) || Object.keys(given).length !== 1) {
    throw new DatabaseError(40234, `The field '${name}' must be an accumulator object`);
  }
  const [operator = ""] = Object.keys(given);
  if (operator === "$first") return fieldOf(given.$first);
  if (operator === "$sum" && toNumber(given.$sum) === 1) return null;
  throw new DatabaseError(15952, `unknown group operator '${operator}', or one with this operand`);
}

function parseGroup(operand: unknown): Finish {
  const { _id: id, ...fields } = requireDoc(operand, "$group");
  if (id === undefined) throw new DatabaseError(15955, "a group specification must include an _id");
  // A constant puts all documents into one group.
  const key = id === null || !Number.isNaN(toNumber(id)) ? null : fieldOf(id);
  const accumulators = Object.entries(fields).map(([name, given]) => ({ name, field: parseAccumulator(name, given) }));
  const isCount = key === null && accumulators.every(({ field }) => field === null);
  const wanted = new Set([key, ...accumulators.map(({ field }) => field)].filter((field) => field !== null));
  return (documents) => {
    const groups = new Map<string, { readonly result: Doc; count: number }>();
    for (const bytes of isCount ? documents.slice(0, 1) : documents) {
      const doc = pickFields(bytes, wanted);
      const value = key === null ? id : (getOwn(doc, key) ?? null);
      const place = encodeValue(value);
      const group = groups.get(place) ?? { result: { _id: value }, count: 0 };
      if (group.count === 0) {
        groups.set(place, group);
        for (const { name, field } of accumulators) {
          setOwn(group.result, name, field === null ? null : (getOwn(doc, field) ?? null));
        }
      }
      group.count++;
    }
    return Array.from(groups.values(), ({ result, count }) => {
      const total = new Int32(isCount ? documents.length : count);
      for (const { name, field } of accumulators) if (field === null) setOwn(result, name, total);
      return encodeDoc(result);
    });
  };
}

const finishes: Readonly<Record<string, (operand: unknown) => Finish>> = { $count: parseCount, $group: parseGroup };

export function parsePipeline(pipeline: unknown): Pipeline {
  if (!isList(pipeline)) throw typeMismatch("'pipeline' option must be specified as an array");
  const stages = pipeline.map((stage) => {
    const [name, ...others] = isDoc(stage) ? Object.keys(stage) : [];
    if (!isDoc(stage) || name === undefined || others.length > 0) {
      throw new DatabaseError(40323, "A pipeline stage specification object must contain exactly one field.");
    }
    return { name, operand: stage[name] };
  });
  let at = 0;
  const take = (name: string) => (stages[at]?.name === name ? stages[at++]?.operand : undefined);
  const filter = requireDoc(take("$match") ?? {}, "$match");
  const sort = parseSort(take("$sort"));
  const last = stages[at++];
  const parse = last && Object.hasOwn(finishes, last.name) ? finishes[last.name] : undefined;
  const wrong = last && parse === undefined ? last : stages[at];
  if (wrong) throw new DatabaseError(40324, `Unrecognized pipeline stage name, or not in this place: '${wrong.name}'`);
  return {
    query: { filter, sort, limit: 0 },
    finish: last && parse ? parse(last.operand) : null,
  };
}
