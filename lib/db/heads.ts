import { type ClientSession, type Model } from "mongoose";
import { requireDatabase } from "@/lib/db/connection/connect";
import { rawCollection } from "@/lib/db/raw";
import { type Environment } from "@/lib/words/vocabulary";
import { ConsumerMessageModel } from "@/models/consumer-message";
import { CustomVehicleDataModel } from "@/models/custom-vehicle-data";
import { FunctionalGroupModel } from "@/models/functional-group";
import { ModuleConfigModel } from "@/models/module-config";

/** The newest record of a key within a view. */
export interface RecordHead {
  readonly id: number;
  readonly key: string;
}

type FamilyModel = Pick<Model<unknown>, "collection">;

/** The four kinds of versioned records and the field that is their key; null: all records share one key. */
export const recordFamilies = {
  groups: { model: FunctionalGroupModel as FamilyModel, keyField: "name" },
  messages: { model: ConsumerMessageModel as FamilyModel, keyField: "category" },
  moduleConfigs: { model: ModuleConfigModel as FamilyModel, keyField: null },
  vehicleData: { model: CustomVehicleDataModel as FamilyModel, keyField: "name" },
} as const;
export type RecordFamilyName = keyof typeof recordFamilies;

/**
 * Finds the ids of the records that make up a view (`api.md` section 1), deleted ones included, in ascending order.
 * The history is not read: the database walks the ends of an index.
 *
 * @param session reads inside that transaction
 */
export async function findHeadIds(
  family: RecordFamilyName,
  environment: Environment,
  session?: ClientSession,
): Promise<number[]> {
  // Without a connection the driver would wait for one, and so would the caller.
  await requireDatabase();
  const { model, keyField } = recordFamilies[family];
  const options = session === undefined ? {} : { session };
  const match = environment === "production" ? { status: "PRODUCTION" } : {};
  if (keyField === null) {
    const newest = rawCollection(model).find(match, { ...options, projection: { _id: 1 } });
    return readIds(await newest.sort({ _id: -1 }).limit(1).toArray());
  }
  const sort = environment === "production" ? { status: 1, [keyField]: 1, _id: -1 } : { [keyField]: 1, _id: -1 };
  const heads = rawCollection(model).aggregate(
    [{ $match: match }, { $sort: sort }, { $group: { _id: `$${keyField}`, id: { $first: "$_id" } } }],
    options,
  );
  const found = await heads.toArray();
  return readIds(found.map(({ id }) => ({ _id: id as unknown })));
}

/** The key of the records of a family that has one key for all. */
export const onlyKey = "";

/**
 * Finds the records that make up a view by their keys, deleted ones included, in no particular order. Only an index is
 * read, and only its ends.
 *
 * @param options.keys only these keys
 * @param options.session reads inside that transaction
 */
export async function findHeads(
  family: RecordFamilyName,
  environment: Environment,
  options: { readonly keys?: readonly string[]; readonly session?: ClientSession } = {},
): Promise<RecordHead[]> {
  const { model, keyField } = recordFamilies[family];
  if (keyField === null) {
    const ids = await findHeadIds(family, environment, options.session);
    return ids.map((id) => ({ id, key: onlyKey }));
  }
  await requireDatabase();
  const ofKeys = options.keys === undefined ? {} : { [keyField]: { $in: options.keys } };
  const ofStatus = environment === "production" ? { status: "PRODUCTION" } : {};
  const sort = environment === "production" ? { status: 1, [keyField]: 1, _id: -1 } : { [keyField]: 1, _id: -1 };
  const heads = rawCollection(model).aggregate(
    [
      { $match: { ...ofStatus, ...ofKeys } },
      { $sort: sort },
      { $group: { _id: `$${keyField}`, id: { $first: "$_id" } } },
    ],
    options.session === undefined ? {} : { session: options.session },
  );
  const found: readonly Record<string, unknown>[] = await heads.toArray();
  return found.flatMap(({ _id: key, id }) => (typeof key === "string" && typeof id === "number" ? [{ id, key }] : []));
}

function readIds(documents: readonly { readonly _id: unknown }[]): number[] {
  return documents
    .map((document) => document._id)
    .filter((id) => typeof id === "number")
    .toSorted((a, b) => a - b);
}
