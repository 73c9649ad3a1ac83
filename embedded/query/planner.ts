import type { Collection } from "../storage/collection";
import type { CollectionIndex } from "../storage/collection-index";
import type { Doc } from "../values/values";
import { boundsOf, collectPredicates, toPoint, toRange, type FieldBounds } from "./bounds";
import type { SortField } from "./sort";

export interface IndexPlan {
  readonly kind: "index";
  readonly index: CollectionIndex;
  readonly ranges: readonly (readonly [low: string, high: string])[];
  readonly isReverse: boolean;
  readonly coversSort: boolean;
  readonly isExact: boolean;
}

export type Plan = { readonly kind: "collection" } | IndexPlan;

export interface Query {
  readonly filter: Doc;
  readonly sort: readonly SortField[];
  /** 0: no limit. */
  readonly limit: number;
}

const everything = ["", "\u0100"] as const;
const maxRanges = 2000;

interface Candidate extends IndexPlan {
  readonly boundFields: number;
  readonly entries: number;
}

/** Whether the index order, in one direction, is the sort order. Fields fixed by equality do not count. */
function sortDirection(index: CollectionIndex, sort: readonly SortField[], fixed: ReadonlySet<string>): 1 | -1 | null {
  let direction: 1 | -1 | null = null;
  let at = 0;
  for (const { path, direction: wanted } of sort) {
    while (index.fields[at] && index.fields[at]?.path !== path && fixed.has(index.fields[at]?.path ?? "")) at++;
    const field = index.fields[at];
    if (field?.path === path) {
      const needed = field.direction === wanted ? 1 : -1;
      at++;
      if (fixed.has(path)) continue;
      if (direction !== null && direction !== needed) return null;
      direction = needed;
    } else if (!fixed.has(path)) return null;
  }
  return direction ?? 1;
}

function rangesOf(index: CollectionIndex, bounds: readonly FieldBounds[]) {
  let prefixes = [""];
  let used = 0;
  for (const [place, { intervals, isPoints }] of bounds.entries()) {
    const direction = index.fields[place]?.direction ?? 1;
    if (prefixes.length * intervals.length > maxRanges && place > 0) break;
    used++;
    if (isPoints) {
      const points = [...new Set(intervals.map((interval) => toPoint(interval, direction)))];
      prefixes = prefixes.flatMap((prefix) => points.map((key) => prefix + key));
      continue;
    }
    const ranges = intervals.map((interval) => toRange(interval, direction));
    return {
      used,
      ranges: prefixes.flatMap((prefix) => ranges.map(([low, high]) => range(prefix + low, prefix + high))),
    };
  }
  return { used, ranges: prefixes.map((prefix) => (prefix === "" ? everything : range(prefix, `${prefix}\u00ff`))) };
}

const range = (low: string, high: string): readonly [string, string] => [low, high];

function candidateFor(
  index: CollectionIndex,
  { predicates, isComplete }: ReturnType<typeof collectPredicates>,
  sort: readonly SortField[],
): Candidate {
  const bounds: FieldBounds[] = [];
  for (const { path } of index.fields) {
    const ofPath = predicates.filter((predicate) => predicate.path === path);
    const field = boundsOf(ofPath, index.isMultikey);
    if (field === null) break;
    bounds.push(field);
    if (!field.isPoints) break;
  }
  const { used, ranges } = rangesOf(index, bounds);
  ranges.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  const bound = bounds.slice(0, used);
  const fixed = new Set(
    bound.flatMap(({ isPoints, intervals }, place) =>
      isPoints && intervals.length === 1 ? [index.fields[place]?.path ?? ""] : [],
    ),
  );
  const direction = index.isMultikey ? null : sortDirection(index, sort, fixed);
  const absorbed = new Set(bound.flatMap((field) => field.absorbed));
  return {
    kind: "index",
    index,
    ranges,
    isReverse: direction === -1,
    coversSort: sort.length === 0 || direction !== null,
    isExact: isComplete && !index.isMultikey && predicates.every((predicate) => absorbed.has(predicate)),
    boundFields: used,
    entries: ranges.reduce((sum, [low, high]) => sum + index.list.count(low, high), 0),
  };
}

function costOf(plan: Candidate, { sort, limit }: Query, likelyMatches: number): number {
  if (sort.length > 0 && !plan.coversSort) return plan.entries * 2;
  if (limit === 0) return plan.entries;
  return plan.entries * Math.min(1, limit / Math.max(1, likelyMatches));
}

export function planQuery(collection: Collection, query: Query): Plan {
  const conditions = collectPredicates(query.filter);
  const candidates = [...collection.indexes.values()].flatMap((index) => {
    const plan = candidateFor(index, conditions, query.sort);
    const helps = plan.boundFields > 0 || (query.sort.length > 0 && plan.coversSort);
    return helps ? [plan] : [];
  });
  const likelyMatches = Math.min(...candidates.map(({ entries }) => entries));
  const [best] = candidates
    .map((plan) => ({ plan, cost: costOf(plan, query, likelyMatches) }))
    .sort(
      (a, b) =>
        a.cost - b.cost ||
        b.plan.boundFields - a.plan.boundFields ||
        Number(b.plan.coversSort) - Number(a.plan.coversSort) ||
        a.plan.index.fields.length - b.plan.index.fields.length,
    );
  return best?.plan ?? { kind: "collection" };
}
