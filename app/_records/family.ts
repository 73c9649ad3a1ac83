import { deepEqual } from "@/app/_components/form/deep-equal";
import type { RecordKind } from "@/app/_records/kinds";
import { byCodeUnit } from "@/lib/labels/order";

/** A record as it is stored, in the shape that is edited. */
export interface StoredRecord<Form extends object> {
  /** Null: nothing is stored yet. */
  readonly id: number | null;
  readonly form: Form;
  readonly isDeleted: boolean;
}

/** How pages read and store records of a kind. */
export interface RecordStore<Form extends object> {
  /** Route of a save, e.g. `/api/v1/groups`. */
  readonly api: string;
  /** Begins the names of drafts. */
  readonly draftPrefix: string;
  /** What a record is called in a sentence. */
  readonly nameOf: (form: Form) => string;
  /** The newest version in staging. @throws ApiError when there is none */
  readonly read: (name: string) => Promise<StoredRecord<Form>>;
  /** The body of a save. */
  readonly toBody: (form: Form, baseId: number | null, isDeleted: boolean) => unknown;
  /** What `data.current` of a 409 holds, as it is edited. */
  readonly fromCurrent: (current: object) => Form;
  /** Where the page of a stored record goes on, when its address has the id of a version; else it stays. */
  readonly pathAfter?: (answer: unknown) => string | null;
}

/** A family of versioned records with a list and an editor. */
export interface RecordFamily<Form extends object> extends RecordKind, RecordStore<Form> {
  /** Finds in staging what an address was about that leads nowhere. */
  readonly find: (address: { readonly id: number | null; readonly name: string | null }) => Promise<Found | null>;
}

interface Found {
  readonly id: number;
  readonly name: string;
}

/** Names the draft of a stored record. */
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
