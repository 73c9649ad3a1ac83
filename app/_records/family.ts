import { deepEqual } from "@/app/_components/form/deep-equal";
import type { RecordKind } from "@/app/_records/kinds";
import { ApiError, get } from "@/lib/platform/http/client";
import type { NewestAnswer } from "@/lib/records/newest";
import { byCodeUnit } from "@/lib/vocabulary/order";
import type { RecordItemFamily } from "@/lib/vocabulary/release-items";

export interface StoredRecord<Form extends object> {
  readonly id: number;
  readonly name: string;
  readonly form: Form;
  readonly isDeleted: boolean;
}

export interface RecordStore<Form extends object> {
  readonly family: RecordItemFamily;
  /** Such as `/api/v1/groups`. */
  readonly api: string;
  readonly draftPrefix: string;
  readonly nameOf: (form: Form) => string;
  readonly toBody: (form: Form, baseId: number | null, isDeleted: boolean) => unknown;
  /** Converts a body, or `data.current` of a 409. */
  readonly toForm: (body: object) => Form;
  /** Null: the address stays. */
  readonly pathAfter?: (answer: unknown) => string | null;
}

export type RecordFamily<Form extends object> = RecordKind & RecordStore<Form>;

export interface RecordAddress {
  readonly id?: number | null;
  readonly name?: string | null;
  /** Also finds an item whose deletion has been published. */
  readonly isGone?: boolean;
}

/** The newest version in staging; null if there is none. */
export async function findRecord<Form extends object>(
  { family, toForm }: Pick<RecordStore<Form>, "family" | "toForm">,
  { id = null, name = null, isGone = false }: RecordAddress,
): Promise<StoredRecord<Form> | null> {
  if (id === null && name === null) return null;
  const wanted = id === null ? `key=${encodeURIComponent(name ?? "")}` : `id=${id}`;
  const path = `/api/v1/ui/records/${family}?${wanted}${isGone ? "&gone=true" : ""}`;
  const { record } = (await get(path)) as NewestAnswer;
  if (record === null) return null;
  const { id: newest, key, body } = record;
  return { id: newest, name: key, form: toForm(body), isDeleted: body["is_deleted"] === true };
}

/** @throws ApiError if there is none */
export async function readRecord<Form extends object>(
  store: Pick<RecordStore<Form>, "family" | "toForm">,
  name: string,
): Promise<StoredRecord<Form>> {
  // The only module config has no name.
  const record = await findRecord(store, { name: store.family === "module_config" ? "" : name });
  if (record === null) throw new ApiError(`There is no ${name} in staging anymore`, 404, null, null);
  return record;
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
