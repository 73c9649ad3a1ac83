import type { ClientSession, Model } from "mongoose";
import { rawCollection, requireDatabase } from "@/lib/platform/db/connection/connect";
import type { RecordItemFamily } from "@/lib/vocabulary/release-items";
import type { Environment, RecordStatus } from "@/lib/vocabulary/terms";
import { ConsumerMessageModel } from "@/models/consumer-message";
import { CustomVehicleDataModel } from "@/models/custom-vehicle-data";
import { FunctionalGroupModel } from "@/models/functional-group";
import { ModuleConfigModel } from "@/models/module-config";

export interface RecordHead {
  readonly id: number;
  readonly key: string;
}

export interface HeadState extends RecordHead {
  readonly status: RecordStatus;
  readonly isDeleted: boolean;
}

export interface RecordStore {
  readonly model: Pick<Model<unknown>, "collection">;
  readonly keyField: string | null;
}

/** Where each family of versioned records is stored, in the order of a release's list. */
export const recordFamilies = {
  message: { model: ConsumerMessageModel, keyField: "category" },
  vehicle_data: { model: CustomVehicleDataModel, keyField: "name" },
  group: { model: FunctionalGroupModel, keyField: "name" },
  module_config: { model: ModuleConfigModel, keyField: null },
} as const satisfies Readonly<Record<RecordItemFamily, RecordStore>>;
export type StoredFamily = RecordItemFamily | RecordStore;

export const onlyKey = "";

export interface HeadOptions {
  readonly keys?: readonly string[] | undefined;
  readonly session?: ClientSession | undefined;
}

export function storeOf(family: StoredFamily): RecordStore {
  return typeof family === "string" ? recordFamilies[family] : family;
}

/** Finds the record ids of a view (`api.md` section 1), including deleted ones, ascending. Reads only index ends. */
export async function findHeadIds(
  family: StoredFamily,
  environment: Environment,
  session?: ClientSession,
): Promise<number[]> {
  return (await findHeads(family, environment, { session })).map(({ id }) => id).toSorted((a, b) => a - b);
}

/** Finds the records of a view by key, including deleted ones, in no particular order. Reads only index ends. */
export async function findHeads(
  family: StoredFamily,
  environment: Environment,
  options: HeadOptions = {},
): Promise<RecordHead[]> {
  return identified(await findEnds(storeOf(family), environment, options)).map(({ id, key }) => ({ id, key }));
}

/** Like `findHeads`, with the state of each record. Reads one document per record. */
export async function findHeadStates(
  family: StoredFamily,
  environment: Environment,
  options: HeadOptions = {},
): Promise<HeadState[]> {
  const ends = await findEnds(storeOf(family), environment, options, ["status", "isDeleted"]);
  return identified(ends).map(({ id, key, status, isDeleted }) => ({
    ...{ id, key },
    status: status === "PRODUCTION" ? "PRODUCTION" : "STAGING",
    isDeleted: isDeleted === true,
  }));
}

/** Finds the production view as of a release (`releases.md` L3): per key, the highest id written until then. */
export async function findHeadsAsOf(
  family: StoredFamily,
  release: number,
  { keys, session }: HeadOptions = {},
): Promise<RecordHead[]> {
  await requireDatabase();
  const { model, keyField } = storeOf(family);
  const ofKeys = keys === undefined || keyField === null ? {} : { [keyField]: { $in: keys } };
  const filter = { status: "PRODUCTION", release: { $lte: release }, ...ofKeys };
  // The index covers the query. Grouped here, because the index is not sorted by key.
  const projection = keyField === null ? { _id: 1 } : { _id: 1, [keyField]: 1 };
  const newest = new Map<string, number>();
  for await (const document of rawCollection(model).find(filter, { projection, ...(session && { session }) })) {
    const key = keyField === null ? onlyKey : document[keyField];
    if (typeof key === "string") newest.set(key, Math.max(document._id, newest.get(key) ?? 0));
  }
  return Array.from(newest, ([key, id]) => ({ key, id }));
}

type End = Readonly<Record<string, unknown>>;

function identified(ends: readonly End[]): (End & RecordHead)[] {
  return ends.flatMap((end) => {
    const { id, key } = end;
    return typeof key === "string" && typeof id === "number" ? [{ ...end, id, key }] : [];
  });
}

async function findEnds(
  { model, keyField }: RecordStore,
  environment: Environment,
  { keys, session }: HeadOptions,
  members: readonly string[] = [],
): Promise<readonly End[]> {
  await requireDatabase();
  const options = session === undefined ? {} : { session };
  const ofStatus = environment === "production" ? { status: "PRODUCTION" } : {};
  if (keyField === null) {
    const projection = Object.fromEntries(["_id", ...members].map((name) => [name, 1]));
    const newest = rawCollection(model)
      .find(ofStatus, { ...options, projection })
      .sort({ _id: -1 })
      .limit(1);
    return (await newest.toArray()).map(({ _id: id, ...others }) => ({ ...others, key: onlyKey, id }));
  }
  const ofKeys = keys === undefined ? {} : { [keyField]: { $in: keys } };
  const order = environment === "production" ? { status: 1, [keyField]: 1, _id: -1 } : { [keyField]: 1, _id: -1 };
  const first = Object.fromEntries(members.map((name) => [name, { $first: `$${name}` }]));
  const heads = rawCollection(model).aggregate(
    [
      { $match: { ...ofStatus, ...ofKeys } },
      { $sort: order },
      { $group: { _id: `$${keyField}`, id: { $first: "$_id" }, ...first } },
    ],
    options,
  );
  const found: readonly End[] = await heads.toArray();
  return found.map(({ _id: key, ...others }) => ({ ...others, key }));
}
