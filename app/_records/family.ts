import { deepEqual } from "@/app/_components/form/deep-equal";
import type { RecordKind } from "@/app/_records/kinds";
import { byCodeUnit } from "@/lib/labels/order";

export interface StoredRecord<Form extends object> {
  /** Null: nothing is stored yet. */
  readonly id: number | null;
  readonly form: Form;
  readonly isDeleted: boolean;
}

export interface RecordStore<Form extends object> {
  /** Route of a save, e.g. `/api/v1/groups`. */
  readonly api: string;
  /** Begins the names of drafts. */
  readonly draftPrefix: string;
  readonly nameOf: (form: Form) => string;
  /** The newest version in staging. @throws ApiError when there is none */
  readonly read: (name: string) => Promise<StoredRecord<Form>>;
  readonly toBody: (form: Form, baseId: number | null, isDeleted: boolean) => unknown;
  /** What `data.current` of a 409 holds, as it is edited. */
  readonly fromCurrent: (current: object) => Form;
  /** Where the page of a stored record goes on, when its address has the id of a version; else it stays. */
  readonly pathAfter?: (answer: unknown) => string | null;
}

export interface RecordFamily<Form extends object> extends RecordKind, RecordStore<Form> {
  /** Finds in staging what an address was about that leads nowhere. */
  readonly find: (address: { readonly id: number | null; readonly name: string | null }) => Promise<Found | null>;
}

interface Found {
  readonly id: number;
  readonly name: string;
}

export const draftKeyOf = ({ draftPrefix }: { readonly draftPrefix: string }, name: string) => `${draftPrefix}:${name}`;

/** Whether two forms are stored as the same content: in whatever order, and without what only tells parts apart. */
export function isSameContent<Form extends object>({ toBody }: RecordStore<Form>, one: Form, other: Form): boolean {
  return deepEqual(inOrder(toBody(one, null, false)), inOrder(toBody(other, null, false)));
}

/** A body with lists in the order of names, as they are stored. */
function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder).sort((a, b) => byCodeUnit(nameIn(a), nameIn(b)));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, inOrder(member)]));
}

const nameIn = (value: unknown) =>
  typeof value === "object" && value !== null && "name" in value && typeof value.name === "string" ? value.name : "";
