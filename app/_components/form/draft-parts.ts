import { describeValue } from "@/app/_components/form/describe-value";

/** The parts of an item: changes are counted, shown and, after a conflict, merged part by part. */
export interface DraftParts<T extends object> {
  /** The parts by name. Differences that nobody can see must not show here. */
  readonly split: (value: T) => Readonly<Record<string, unknown>>;
  /** The item with some parts taken from another one, which may lack them. */
  readonly take: (value: T, from: T, names: readonly string[]) => T;
  /** The label of a part that the form's labels omit; null: it is derived from others. */
  readonly nameOf: (name: string) => string | null;
  /** A part in words; `others` are the values it is compared with. */
  readonly describe: (value: unknown, others: readonly unknown[]) => string;
}

const members: DraftParts<object> = {
  split: (value) => value as Readonly<Record<string, unknown>>,
  take: (value, from, names) => {
    const other = from as Readonly<Record<string, unknown>>;
    return { ...value, ...Object.fromEntries(names.map((name) => [name, other[name]])) };
  },
  nameOf: () => null,
  describe: (value) => describeValue(value),
};

/** Compares by top-level members, as most forms do. */
export function byMembers<T extends object>(): DraftParts<T> {
  // Both arguments of `take` have the form's type, and so does the result.
  return members as unknown as DraftParts<T>;
}
