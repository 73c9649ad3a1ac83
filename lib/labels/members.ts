/*
 * Names of members. The code and the database use `isDefault`, the API `is_default`. These functions derive one from the
 * other, so no pairs need to be listed.
 */

/** `isDefault` in API form: `is_default`. */
export type SnakeCase<Name> = Name extends `${infer Head}${infer Tail}`
  ? `${Head extends Lowercase<Head> ? Head : `_${Lowercase<Head>}`}${SnakeCase<Tail>}`
  : "";

/** An object with the API's names. */
export type SnakeMembers<T> = { [Name in keyof T as SnakeCase<Name>]: T[Name] };

/** A cache: there are few names, but each record of a list needs them. */
const snakeNames = new Map<string, string>();

/** The API's name of a member. */
export function snakeName<Name extends string>(name: Name): SnakeCase<Name> {
  const snake = snakeNames.get(name) ?? name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  snakeNames.set(name, snake);
  // The compiler cannot follow the renaming. `SnakeCase` is the same rule as a type.
  return snake as SnakeCase<Name>;
}

/** The same values under the API's names, in the same order. Values are not converted. */
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

/** The members that have a value. */
export function withoutNull<T extends object>(members: T): { [Name in keyof T]?: NonNullable<T[Name]> } {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => (value ?? null) !== null)) as {
    [Name in keyof T]?: NonNullable<T[Name]>;
  };
}

/** The names of a table literal, which has the members of its type and no others. */
export function namesOf<Table extends object>(table: Table): (keyof Table & string)[] {
  return Object.keys(table) as (keyof Table & string)[];
}

/** Members that are not stored read as null. */
type Stored<Value> = undefined extends Value ? Exclude<Value, undefined> | null : Value;

/** These members of a stored document, in the order of the names; null if missing. */
export function pickStored<T extends object, Name extends keyof T & string>(document: T, names: readonly Name[]) {
  const picked = recordOf<Name, unknown>(names, (name) => document[name] ?? null);
  return picked as { [Own in Name]: Stored<T[Own]> };
}

/** Like `pickStored` with the API's names, prepared once for all elements of a long list. */
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
