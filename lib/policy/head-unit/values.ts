import { oncePer } from "@/lib/platform/once-per";
import { Spot, type HeadUnitFinding } from "@/lib/policy/head-unit/finding";

/** The greatest number a head unit accepts, because it reads signed 32-bit numbers. */
export const greatestInteger = 2_147_483_647;

export type JsonObject = Readonly<Record<string, unknown>>;
export type Check = (value: unknown, spot: Spot) => void;

interface Range {
  readonly min: number;
  readonly max: number;
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0;

export function memberOf(value: unknown, name: unknown): unknown {
  return isObject(value) && typeof name === "string" && Object.hasOwn(value, name) ? value[name] : undefined;
}

export function quoted(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value.length > 60 ? `${value.slice(0, 57)}…` : value);
  if (value === undefined) return "nothing";
  if (Array.isArray(value)) return "a list";
  return isObject(value) ? "an object" : JSON.stringify(value);
}

/**
 * Whether a check finds nothing in a value. Remembered for frozen objects, parts of one table after another: what it
 * finds depends on their place, and is found again each time.
 */
export function passes(check: Check): (value: unknown) => boolean {
  const isClean = oncePer((value: JsonObject) => {
    const findings: HeadUnitFinding[] = [];
    check(value, Spot.root(findings, ""));
    return findings.length === 0;
  });
  return (value) => isObject(value) && Object.isFrozen(value) && isClean(value);
}

export const text =
  ({ min, max }: Range): Check =>
  (value, spot) => {
    if (typeof value !== "string") spot.refuse(`the value must be a text, not ${quoted(value)}`);
    else if (Buffer.byteLength(value) < min)
      spot.refuse(min === 1 ? "the text is empty" : `the text is below ${min} bytes`);
    else if (Buffer.byteLength(value) > max) spot.refuse(`the text is longer than ${max} bytes`);
  };

export const integer =
  ({ min, max }: Range): Check =>
  (value, spot) => {
    if (typeof value === "number" && Number.isInteger(value) && value >= min && value <= max) return;
    spot.refuse(`the value must be an integer from ${min} to ${max}, not ${quoted(value)}`);
  };

export const boolean: Check = (value, spot) => {
  if (typeof value !== "boolean") spot.refuse(`the value must be true or false, not ${quoted(value)}`);
};

export const list =
  ({ min, max }: Range, element: Check): Check =>
  (value, spot) => {
    if (!Array.isArray(value)) {
      spot.refuse(`the value must be a list, not ${quoted(value)}`);
      return;
    }
    checkCount(value.length, { min, max }, "elements", spot);
    for (const [index, one] of value.entries()) element(one, spot.at(index));
  };

export const map =
  ({ min, max }: Range, entry: Check): Check =>
  (value, spot) => {
    if (!isObject(value)) {
      spot.refuse(`the value must be an object, not ${quoted(value)}`);
      return;
    }
    const entries = Object.entries(value);
    checkCount(entries.length, { min, max }, "entries", spot);
    for (const [key, one] of entries) entry(one, spot.at(key));
  };

export function checkCount(count: number, { min, max }: Range, what: string, spot: Spot): void {
  if (count < min) spot.refuse(`there must be ${min} to ${max} ${what}, not ${count}`);
  else if (count > max) spot.refuse(`there may be at most ${max} ${what}, not ${count}`);
}

/** Checks an optional member; null counts as present (section 9). */
export function optional(object: JsonObject, name: string, spot: Spot, check: Check): void {
  if (Object.hasOwn(object, name)) check(object[name], spot);
}

export function required(object: JsonObject, name: string, spot: Spot, check: Check): void {
  if (Object.hasOwn(object, name)) check(object[name], spot);
  else spot.refuse(`the member ${name} is missing`);
}

/**
 * What a head unit keeps of a list with unknown values (rule `correction`); null, and reported, if it is not a list.
 * `others`: what it does with elements that are no text.
 */
export function keptValues(
  value: unknown,
  spot: Spot,
  correction: string,
  whyDropped: (entry: string) => string | null,
  others: "refused" | "dropped" = "refused",
): readonly string[] | null {
  if (!Array.isArray(value)) {
    spot.refuse(`the value must be a list, not ${quoted(value)}`);
    return null;
  }
  const kept: string[] = [];
  for (const [index, entry] of value.entries()) {
    if (typeof entry !== "string" && others === "dropped") {
      spot.at(index, correction).correct(`drops ${quoted(entry)}: it is not a text`);
      continue;
    }
    if (typeof entry !== "string") {
      spot.at(index).refuse(`the value must be a text, not ${quoted(entry)}`);
      continue;
    }
    const why = whyDropped(entry);
    if (why === null) kept.push(entry);
    else spot.at(index, correction).correct(`drops ${quoted(entry)}: ${why}`);
  }
  return kept;
}
