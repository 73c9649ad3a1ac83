import { deepEqual } from "@/app/_components/form/deep-equal";
import type { RecordKind } from "@/app/_records/kinds";
import { byCodeUnit } from "@/lib/vocabulary/order";

export interface StoredRecord<Form extends object> {
  /** Null: nothing stored yet. */
  readonly id: number | null;
  readonly form: Form;
  readonly isDeleted: boolean;
}

export interface RecordStore<Form extends object> {
  /** Such as `/api/v1/groups`. */
  readonly api: string;
  readonly draftPrefix: string;
  readonly nameOf: (form: Form) => string;
  /** @throws ApiError if there is none */
  readonly read: (name: string) => Promise<StoredRecord<Form>>;
  readonly toBody: (form: Form, baseId: number | null, isDeleted: boolean) => unknown;
  /** Converts `data.current` of a 409. */
  readonly fromCurrent: (current: object) => Form;
  /** Null: the address stays. */
  readonly pathAfter?: (answer: unknown) => string | null;
}

export interface RecordFamily<Form extends object> extends RecordKind, RecordStore<Form> {
  readonly find: (address: { readonly id: number | null; readonly name: string | null }) => Promise<Found | null>;
}

interface Found {
  readonly id: number;
  readonly name: string;
}

export const draftKeyOf = ({ draftPrefix }: { readonly draftPrefix: string }, name: string) => `${draftPrefix}:${name}`;

/** Ignores order, and ids that exist only on the page. */
export function isSameContent<Form extends object>({ toBody }: RecordStore<Form>, one: Form, other: Form): boolean {
  return deepEqual(inOrder(toBody(one, null, false)), inOrder(toBody(other, null, false)));
}

/** Lists are stored sorted by name. */
function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder).sort((a, b) => byCodeUnit(nameIn(a), nameIn(b)));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, inOrder(member)]));
}

const nameIn = (value: unknown) =>
  typeof value === "object" && value !== null && "name" in value && typeof value.name === "string" ? value.name : "";
