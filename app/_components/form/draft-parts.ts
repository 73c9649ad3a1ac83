import { describeValue } from "@/app/_components/form/describe-value";

/** The parts by which an item is compared: its changes are counted, shown and, after a conflict, chosen part by part. */
export interface DraftParts<T extends object> {
  /** The parts by name. What differs only in what nobody sees must be equal here. */
  readonly split: (value: T) => Readonly<Record<string, unknown>>;
  /** The item with some parts as another has them, which may be not at all. */
  readonly take: (value: T, from: T, names: readonly string[]) => T;
  /** What a part is called that the labels of the form do not name; null: it follows from the others. */
  readonly nameOf: (name: string) => string | null;
  /** A part in words; `others` are the values that it is set against. */
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

/** The top-level members: what most forms are compared by. */
export function byMembers<T extends object>(): DraftParts<T> {
  // Both sides of `take` have the type of the form, and so has what is made of them.
  return members as unknown as DraftParts<T>;
}
