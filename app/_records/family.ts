import { deepEqual } from "@/app/_components/form/deep-equal";
import type { RecordKind } from "@/app/_records/kinds";
import { byCodeUnit } from "@/lib/labels/order";

export interface StoredRecord<Form extends object> {
  /** Null: nothing stored yet. */
  readonly id: number | null;
  readonly form: Form;
  readonly isDeleted: boolean;
}

export interface RecordStore<Form extends object> {
  /** Route of a save, such as `/api/v1/groups`. */
  readonly api: string;
  /** Prefix of draft keys. */
  readonly draftPrefix: string;
  readonly nameOf: (form: Form) => string;
  /** The latest version in staging. @throws ApiError if there is none */
  readonly read: (name: string) => Promise<StoredRecord<Form>>;
  readonly toBody: (form: Form, baseId: number | null, isDeleted: boolean) => unknown;
  /** Converts `data.current` of a 409 to the form. */
  readonly fromCurrent: (current: object) => Form;
  /** The new address of a page after a save, if it contains a version id; null: it stays. */
  readonly pathAfter?: (answer: unknown) => string | null;
}

export interface RecordFamily<Form extends object> extends RecordKind, RecordStore<Form> {
  /** Finds the staging record that an unknown address was about. */
  readonly find: (address: { readonly id: number | null; readonly name: string | null }) => Promise<Found | null>;
}

interface Found {
  readonly id: number;
  readonly name: string;
}

export const draftKeyOf = ({ draftPrefix }: { readonly draftPrefix: string }, name: string) => `${draftPrefix}:${name}`;

/** Whether two forms have the same stored content, ignoring order and ids that exist only on the page. */
export function isSameContent<Form extends object>({ toBody }: RecordStore<Form>, one: Form, other: Form): boolean {
  return deepEqual(inOrder(toBody(one, null, false)), inOrder(toBody(other, null, false)));
}

/** A body with its lists sorted by name, as they are stored. */
function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder).sort((a, b) => byCodeUnit(nameIn(a), nameIn(b)));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, inOrder(member)]));
}

const nameIn = (value: unknown) =>
  typeof value === "object" && value !== null && "name" in value && typeof value.name === "string" ? value.name : "";
