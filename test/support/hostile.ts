import fc from "fast-check";
import { buildInputSchema, type JsonSchema } from "@/lib/platform/zod/json-schema";
import { findMembers } from "@/app/_api/openapi/type-text";
import { watchCommands } from "@/test/support/database-commands";
import type { RouteMethod, ValidCall } from "@/test/support/route-calls";

/** Part of every hostile value, to recognize it in what reaches the database. */
export const mark = "m4rk3r";

export const hostileValues: readonly unknown[] = [
  { $ne: mark },
  { $gt: mark },
  { $where: mark },
  { $exists: mark },
  { [`${mark}.a`]: 1 },
  { [mark]: { $ne: mark } },
  [{ $ne: mark }],
  [mark],
  `${mark}\u0000`,
  `$${mark}`,
  `${mark}.a.b`,
  `${mark}\ud800`,
  `__proto__`,
  "x".repeat(70_000),
  null,
  true,
  1.5,
  -1,
  1e99,
  "99999999999",
  "9".repeat(400),
  99_999_999_999,
  [],
  {},
  [null],
  "",
];

/** For the query: only texts, but with any names. */
export const hostileTexts: readonly string[] = [
  `$${mark}`,
  `${mark}.a`,
  `${mark}%00`,
  "%00",
  "%F0%9F%9A%97",
  "%ED%A0%80",
  "1.5",
  "1e99",
  "99999999999",
  "99999999999999999999999",
  "-0",
  "bogus",
  "",
  "%5B%22a%22%5D",
  `{"$ne":"${mark}"}`,
  "x".repeat(5_000),
];

type Path = readonly (string | number)[];

/** All paths in a body: those of a valid one, and those of optional members that it lacks. */
export function placesOf(route: RouteMethod, { body }: ValidCall): readonly Path[] {
  const schema = route.facts.input.body && buildInputSchema(route.facts.input.body).schema;
  return [...pathsOf(body ?? {}), ...(schema ? missingPaths(schema, body) : [])];
}

function pathsOf(value: unknown): Path[] {
  if (typeof value !== "object" || value === null) return [[]];
  const steps = Array.isArray(value) ? [...value.keys()] : Object.keys(value);
  // The first two elements represent a long list of equal ones.
  const few = Array.isArray(value) ? steps.slice(0, 2) : steps;
  return [[], ...few.flatMap((step) => pathsOf(Reflect.get(value, step)).map((path) => [step, ...path]))];
}

function missingPaths(schema: JsonSchema, value: unknown): Path[] {
  if (Array.isArray(value)) return value.slice(0, 1).flatMap((one) => missingPaths(schema, one).map((p) => [0, ...p]));
  return (findMembers(schema) ?? []).flatMap(({ name, schema: member }): Path[] => {
    const own: unknown = typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
    return own === undefined ? [[name]] : missingPaths(member, own).map((path) => [name, ...path]);
  });
}

export function replaceAt(value: unknown, [step, ...rest]: Path, by: unknown): unknown {
  if (step === undefined) return by;
  const copy: any = Array.isArray(value) ? [...value] : { ...(value as object) };
  copy[step] = replaceAt(copy[step], rest, by);
  return copy;
}

export function parametersOf({ facts }: RouteMethod): readonly string[] {
  const members = facts.input.query && findMembers(buildInputSchema(facts.input.query).schema);
  return (members ?? []).map(({ name }) => name);
}

export const anything = fc.oneof(fc.jsonValue({ maxDepth: 3 }), fc.constantFrom(...hostileValues));

/** What came from input as an operator, a member or an expression (`api.md` 0.2). */
export async function findInjections(work: () => Promise<unknown>): Promise<readonly string[]> {
  const found: string[] = [];
  await watchCommands(({ commandName, command }) => {
    if (!JSON.stringify(command).includes(mark)) return;
    found.push(...injectionsIn(command, commandName === "aggregate").map((what) => `${commandName}: ${what}`));
  }, work);
  return found;
}

const injectedOperators: ReadonlySet<string> = new Set(["$ne", "$gt", "$where", "$exists"]);

export function injectionsIn(value: unknown, isExpression: boolean): string[] {
  if (typeof value === "string") return isExpression && value.startsWith(`$${mark}`) ? [value] : [];
  if (Array.isArray(value)) return value.flatMap((one) => injectionsIn(one, isExpression));
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    const isOperator = injectedOperators.has(name) && JSON.stringify(member).includes(mark);
    const own = isOperator || name.includes(mark) ? [name] : [];
    // The content of `$match` and `$literal` are values, not expressions.
    return [...own, ...injectionsIn(member, isExpression && name !== "$match" && name !== "$literal")];
  });
}
