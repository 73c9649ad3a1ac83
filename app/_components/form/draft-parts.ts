import { describeValue } from "@/app/_components/form/describe-value";

export interface DraftParts<T extends object> {
  /** Differences that nobody can see must not show here. */
  readonly split: (value: T) => Readonly<Record<string, unknown>>;
  /** `from` may lack the parts. */
  readonly take: (value: T, from: T, names: readonly string[]) => T;
  /** For parts that the form's labels omit; null: the part is derived from others. */
  readonly nameOf: (name: string) => string | null;
  /** `others` are the values it is compared with. */
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

export function byMembers<T extends object>(): DraftParts<T> {
  // Both arguments of `take` have the form's type, and so does the result.
  return members as unknown as DraftParts<T>;
}
