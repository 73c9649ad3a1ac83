import type { ClientSession, Model } from "mongoose";
import { requireDatabase } from "@/lib/db/connection/connect";
import { rawCollection } from "@/lib/db/raw";
import type { Environment } from "@/lib/words/vocabulary";
import { ConsumerMessageModel } from "@/models/consumer-message";
import { CustomVehicleDataModel } from "@/models/custom-vehicle-data";
import { FunctionalGroupModel } from "@/models/functional-group";
import { ModuleConfigModel } from "@/models/module-config";

/** The newest record of a key within a view. */
export interface RecordHead {
  readonly id: number;
  readonly key: string;
}

/** Where the records of a family are stored, and the field that is their key; null: all records share one key. */
export interface RecordStore {
  readonly model: Pick<Model<unknown>, "collection">;
  readonly keyField: string | null;
}

/** The four kinds of versioned records. */
export const recordFamilies = {
  groups: { model: FunctionalGroupModel, keyField: "name" },
  messages: { model: ConsumerMessageModel, keyField: "category" },
  moduleConfigs: { model: ModuleConfigModel, keyField: null },
  vehicleData: { model: CustomVehicleDataModel, keyField: "name" },
} as const satisfies Readonly<Record<string, RecordStore>>;
export type RecordFamilyName = keyof typeof recordFamilies;
/** A family, by its name where it is one of the four. */
export type StoredFamily = RecordFamilyName | RecordStore;

/** The key of the records of a family that has one key for all. */
export const onlyKey = "";

export interface HeadOptions {
  /** Only these keys. */
  readonly keys?: readonly string[] | undefined;
  /** Reads inside that transaction. */
  readonly session?: ClientSession | undefined;
}

export function storeOf(family: StoredFamily): RecordStore {
  return typeof family === "string" ? recordFamilies[family] : family;
}

/**
 * Finds the ids of the records that make up a view (`api.md` section 1), deleted ones included, in ascending order.
 * The history is not read: the database walks the ends of an index.
 *
 * @param session reads inside that transaction
 */
export async function findHeadIds(
  family: StoredFamily,
  environment: Environment,
  session?: ClientSession,
): Promise<number[]> {
  const ends = await findEnds(storeOf(family), environment, { session });
  return ends.flatMap(({ id }) => (typeof id === "number" ? [id] : [])).toSorted((a, b) => a - b);
}

/**
 * Finds the records that make up a view by their keys, deleted ones included, in no particular order. Only an index is
 * read, and only its ends.
 */
export async function findHeads(
  family: StoredFamily,
  environment: Environment,
  options: HeadOptions = {},
): Promise<RecordHead[]> {
  const ends = await findEnds(storeOf(family), environment, options);
  return ends.flatMap(({ key, id }) => (typeof key === "string" && typeof id === "number" ? [{ id, key }] : []));
}

/**
 * Finds the records that made up the production view when a release was published, deleted ones included (`releases.md` L3):
 * per key the greatest id among PRODUCTION records that this release or an earlier one wrote.
 */
export async function findHeadsAsOf(
  family: StoredFamily,
  release: number,
  { keys, session }: HeadOptions = {},
): Promise<RecordHead[]> {
  await requireDatabase();
  const { model, keyField } = storeOf(family);
  const ofKeys = keys === undefined || keyField === null ? {} : { [keyField]: { $in: keys } };
  const filter = { status: "PRODUCTION", release: { $lte: release }, ...ofKeys };
  // An index holds all that is asked for; grouped here, because its order is not that of the keys.
  const projection = keyField === null ? { _id: 1 } : { _id: 1, [keyField]: 1 };
  const newest = new Map<string, number>();
  for await (const document of rawCollection(model).find(filter, { projection, ...(session && { session }) })) {
    const key = keyField === null ? onlyKey : document[keyField];
    if (typeof key === "string") newest.set(key, Math.max(document._id, newest.get(key) ?? 0));
  }
  return Array.from(newest, ([key, id]) => ({ key, id }));
}

async function findEnds(
  { model, keyField }: RecordStore,
  environment: Environment,
  { keys, session }: HeadOptions,
): Promise<readonly { readonly key: unknown; readonly id: unknown }[]> {
  // Without a connection the driver would wait for one, and so would the caller.
  await requireDatabase();
  const options = session === undefined ? {} : { session };
  const ofStatus = environment === "production" ? { status: "PRODUCTION" } : {};
  if (keyField === null) {
    const newest = rawCollection(model).find(ofStatus, { ...options, projection: { _id: 1 } });
    return (await newest.sort({ _id: -1 }).limit(1).toArray()).map(({ _id: id }) => ({ key: onlyKey, id }));
  }
  const ofKeys = keys === undefined ? {} : { [keyField]: { $in: keys } };
  const order = environment === "production" ? { status: 1, [keyField]: 1, _id: -1 } : { [keyField]: 1, _id: -1 };
  const heads = rawCollection(model).aggregate(
    [
      { $match: { ...ofStatus, ...ofKeys } },
      { $sort: order },
      { $group: { _id: `$${keyField}`, id: { $first: "$_id" } } },
    ],
    options,
  );
  const found: readonly Readonly<Record<string, unknown>>[] = await heads.toArray();
  return found.map(({ _id: key, id }) => ({ key, id }));
}
