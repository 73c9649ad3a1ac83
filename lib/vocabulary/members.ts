"one per process";

/* The code and the database use `isDefault`, the API `is_default`; one is derived from the other. */

export type SnakeCase<Name> = Name extends `${infer Head}${infer Tail}`
  ? `${Head extends Lowercase<Head> ? Head : `_${Lowercase<Head>}`}${SnakeCase<Tail>}`
  : "";

export type SnakeMembers<T> = { [Name in keyof T as SnakeCase<Name>]: T[Name] };

const snakeNames = new Map<string, string>();

/** `isDefault` becomes `is_default`. */
export function snakeName<Name extends string>(name: Name): SnakeCase<Name> {
  const snake = snakeNames.get(name) ?? name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  snakeNames.set(name, snake);
  // `SnakeCase` is the same rule as a type; the compiler cannot follow the renaming.
  return snake as SnakeCase<Name>;
}

/** Renames in the same order; converts no values. */
export function toSnakeMembers<T extends object>(members: T): SnakeMembers<T> {
  return Object.fromEntries(
    Object.entries(members).map(([name, value]) => [snakeName(name), value]),
  ) as SnakeMembers<T>;
}

/** In the order of the names. */
export function recordOf<Name extends string, Value>(names: readonly Name[], valueOf: (name: Name) => Value) {
  const record: Partial<Record<Name, Value>> = {};
  for (const name of names) record[name] = valueOf(name);
  return record as Record<Name, Value>;
}

/** In the order of the names. */
export function pickMembers<T extends object, Name extends keyof T>(from: T, names: readonly Name[]) {
  return Object.fromEntries(names.map((name) => [name, from[name]])) as Pick<T, Name>;
}

export function withoutNull<T extends object>(members: T): { [Name in keyof T]?: NonNullable<T[Name]> } {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => (value ?? null) !== null)) as {
    [Name in keyof T]?: NonNullable<T[Name]>;
  };
}

/** Safe because a literal has no more members than its type. */
export function namesOf<Table extends object>(table: Table): (keyof Table & string)[] {
  return Object.keys(table) as (keyof Table & string)[];
}

type Stored<Value> = undefined extends Value ? Exclude<Value, undefined> | null : Value;

/** In the order of the names; null if missing. */
export function pickStored<T extends object, Name extends keyof T & string>(document: T, names: readonly Name[]) {
  const picked = recordOf<Name, unknown>(names, (name) => document[name] ?? null);
  return picked as { [Own in Name]: Stored<T[Own]> };
}

/** `pickStored` with the API's names, prepared once for long lists. */
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
