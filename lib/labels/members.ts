/*
 * Names of members. The code and the database write `isDefault`, the API writes `is_default`: the one follows from the
 * other, so that no pair has to be written down.
 */

/** `isDefault` as the API writes it: `is_default`. */
export type SnakeCase<Name> = Name extends `${infer Head}${infer Tail}`
  ? `${Head extends Lowercase<Head> ? Head : `_${Lowercase<Head>}`}${SnakeCase<Tail>}`
  : "";

/** An object under the names of the API. */
export type SnakeMembers<T> = { [Name in keyof T as SnakeCase<Name>]: T[Name] };

/** Names are few, and asked for with every record of a list. */
const snakeNames = new Map<string, string>();

/** The name of a member as the API writes it. */
export function snakeName<Name extends string>(name: Name): SnakeCase<Name> {
  const snake = snakeNames.get(name) ?? name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  snakeNames.set(name, snake);
  // The compiler cannot follow the renaming; `SnakeCase` is the same rule in types.
  return snake as SnakeCase<Name>;
}

/** The same values under the names of the API, in the same order; what is inside the values stays as it is. */
export function toSnakeMembers<T extends object>(members: T): SnakeMembers<T> {
  return Object.fromEntries(
    Object.entries(members).map(([name, value]) => [snakeName(name), value]),
  ) as SnakeMembers<T>;
}

/** An object with one member for each name, in the order of the names. */
export function recordOf<Name extends string, Value>(names: readonly Name[], valueOf: (name: Name) => Value) {
  const record: Partial<Record<Name, Value>> = {};
  for (const name of names) record[name] = valueOf(name);
  return record as Record<Name, Value>;
}

/** Some of the members of an object, in the order of the names. */
export function pickMembers<T extends object, Name extends keyof T>(from: T, names: readonly Name[]) {
  return Object.fromEntries(names.map((name) => [name, from[name]])) as Pick<T, Name>;
}

/** The names of a table that is written out in the code: it has the members of its type and no others. */
export function namesOf<Table extends object>(table: Table): (keyof Table & string)[] {
  return Object.keys(table) as (keyof Table & string)[];
}

/** What is not stored reads as null. */
type Stored<Value> = undefined extends Value ? Exclude<Value, undefined> | null : Value;

/** These members of a stored document, in the order of the names; null for those that it lacks. */
export function pickStored<T extends object, Name extends keyof T & string>(document: T, names: readonly Name[]) {
  const picked = recordOf<Name, unknown>(names, (name) => document[name] ?? null);
  return picked as { [Own in Name]: Stored<T[Own]> };
}

/** The same under the names of the API, prepared once for all elements of long lists. */
export function snakePicker<T extends object>() {
  return <Name extends keyof T & string>(names: readonly Name[]) => {
    const pairs = names.map((name) => [name, snakeName(name)] as const);
    return (document: T) => {
      const picked: Record<string, unknown> = {};
      for (const [name, snake] of pairs) picked[snake] = document[name] ?? null;
      return picked as { [Own in Name as SnakeCase<Own>]: Stored<T[Own]> };
    };
  };
}
