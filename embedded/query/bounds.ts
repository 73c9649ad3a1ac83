import { encodeValue } from "../values/key-encoding";
import { isDoc, isList, isNumeric, rankOf, toNumber, type Doc } from "../values/values";
import { isOperatorDoc, isRegex } from "./matcher";

export interface Predicate {
  readonly path: string;
  readonly operator: string;
  readonly operand: unknown;
}

interface Bound {
  readonly key: string;
  readonly isAfter: boolean;
}

interface Interval {
  readonly low: Bound;
  readonly high: Bound;
}

export interface FieldBounds {
  readonly intervals: readonly Interval[];
  readonly isPoints: boolean;
  readonly absorbed: readonly Predicate[];
}

export function collectPredicates(filter: Doc): { predicates: Predicate[]; isComplete: boolean } {
  const predicates: Predicate[] = [];
  let isComplete = true;
  for (const [path, operand] of Object.entries(filter)) {
    if (path === "$and" && isList(operand)) {
      for (const branch of operand.filter(isDoc)) {
        const inner = collectPredicates(branch);
        predicates.push(...inner.predicates);
        isComplete &&= inner.isComplete;
      }
    } else if (path.startsWith("$")) isComplete = false;
    else if (!isOperatorDoc(operand)) predicates.push({ path, operator: "$eq", operand });
    else for (const [operator, value] of Object.entries(operand)) predicates.push({ path, operator, operand: value });
  }
  return { predicates, isComplete };
}

const point = (value: unknown): Interval => {
  const key = encodeValue(value);
  return { low: { key, isAfter: false }, high: { key, isAfter: true } };
};

/** An array is indexed by its elements, and a regular expression matches many values, so neither is one key. */
const isPointValue = (value: unknown): boolean => !isList(value) && !isRegex(value);

const isRangeValue = (value: unknown): boolean =>
  [10, 15, 35, 40, 45].includes(rankOf(value)) && !(isNumeric(value) && Number.isNaN(toNumber(value)));

function rangeOf(operator: string, value: unknown): Interval {
  const key = encodeValue(value);
  const type = String.fromCharCode(rankOf(value));
  const first: Bound = isNumeric(value) ? { key: encodeValue(NaN), isAfter: true } : { key: type, isAfter: false };
  const last: Bound = { key: type, isAfter: true };
  switch (operator) {
    case "$gt":
      return { low: { key, isAfter: true }, high: last };
    case "$gte":
      return { low: { key, isAfter: false }, high: last };
    case "$lt":
      return { low: first, high: { key, isAfter: false } };
    default:
      return { low: first, high: { key, isAfter: true } };
  }
}

function intervalsOf({ operator, operand }: Predicate): Interval[] | null {
  if (operator === "$eq") return isPointValue(operand) ? [point(operand)] : null;
  if (operator === "$in") return isList(operand) && operand.every(isPointValue) ? operand.map(point) : null;
  if (["$gt", "$gte", "$lt", "$lte"].includes(operator) && isRangeValue(operand)) return [rangeOf(operator, operand)];
  return null;
}

const text = ({ key, isAfter }: Bound): string => {
  if (!isAfter) return key;
  // After a bare type byte, anything may follow, even 0xff; after a whole value, only the next field.
  return key.length === 1 ? String.fromCharCode(key.charCodeAt(0) + 1) : `${key}\u00ff`;
};

function intersect(left: readonly Interval[], right: readonly Interval[]): Interval[] {
  return left
    .flatMap((a) =>
      right.map((b) => ({
        low: text(a.low) >= text(b.low) ? a.low : b.low,
        high: text(a.high) <= text(b.high) ? a.high : b.high,
      })),
    )
    .filter(({ low, high }) => text(low) < text(high));
}

const hasNull = (operand: unknown): boolean =>
  operand === null || operand === undefined || (isList(operand) && operand.includes(null));

/** If documents contain arrays, different elements may meet two conditions, so only one condition is used. */
export function boundsOf(predicates: readonly Predicate[], isMultikey: boolean): FieldBounds | null {
  const usable = predicates.flatMap((predicate) => {
    const intervals = intervalsOf(predicate);
    return intervals ? [{ predicate, intervals }] : [];
  });
  const isPoint = ({ predicate }: { predicate: Predicate }) => ["$eq", "$in"].includes(predicate.operator);
  usable.sort((a, b) => Number(isPoint(b)) - Number(isPoint(a)) || a.intervals.length - b.intervals.length);
  const used = isMultikey ? usable.slice(0, 1) : usable;
  const [first] = used;
  if (first === undefined) return null;
  const intervals = used.slice(1).reduce((sum, { intervals: more }) => intersect(sum, more), first.intervals);
  return {
    intervals,
    isPoints: isPoint(first),
    absorbed: used.flatMap(({ predicate }) => (hasNull(predicate.operand) ? [] : [predicate])),
  };
}

const invert = (key: string): string =>
  String.fromCharCode(...Array.from(key, (character) => character.charCodeAt(0) ^ 255));

export function toRange({ low, high }: Interval, direction: 1 | -1): readonly [low: string, high: string] {
  if (direction === 1) return [text(low), text(high)];
  return [
    text({ key: invert(high.key), isAfter: !high.isAfter }),
    text({ key: invert(low.key), isAfter: !low.isAfter }),
  ];
}

export const toPoint = ({ low }: Interval, direction: 1 | -1): string => (direction === 1 ? low.key : invert(low.key));
