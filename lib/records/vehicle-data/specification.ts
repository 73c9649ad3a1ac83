"one per process";

import "server-only";
import type { ClientSession } from "mongoose";
import { z } from "zod";
import { rawCollection, requireDatabase } from "@/lib/platform/db/connection/connect";
import { rpcSpecificationDocument } from "@/lib/policy/documents/documents";
import type { ParameterSources } from "@/lib/policy/table/functional-groupings";
import { nativeVehicleData } from "@/lib/policy/table/vehicle-data";
import { RpcSpecificationModel } from "@/models/rpc-specification";
import { findStates } from "@/lib/records/store/queries";
import type { Environment } from "@/lib/vocabulary/terms";

interface SpecificationNames extends NonNullable<ParameterSources["rpcSpec"]> {
  /** Names of the enumerations in document order (`api.md` 14.5). */
  readonly enumerations: readonly string[];
  /** Names of the native vehicle data, which custom data must not use. */
  readonly natives: ReadonlySet<string>;
}

const enumNames = z.object({ enums: z.array(z.object({ name: z.string() })) });
let cache: { readonly key: string; readonly names: SpecificationNames | null } = { key: "", names: null };

/** Null if none is stored. Stored specifications never change, so the newest one is read only once. */
export async function findSpecificationNames(session?: ClientSession): Promise<SpecificationNames | null> {
  await requireDatabase();
  const collection = rawCollection(RpcSpecificationModel);
  const options = session === undefined ? {} : { session };
  const [head] = await collection
    .find({}, { ...options, projection: { storedAt: 1 } })
    .sort({ _id: -1 })
    .limit(1)
    .toArray();
  if (head === undefined) return null;
  const key = JSON.stringify(head);
  if (cache.key === key) return cache.names;
  const names = readNames(await collection.findOne({ _id: head._id }, options));
  cache = { key, names };
  return names;
}

/** A damaged specification counts as none, as in the compiler. */
function readNames(document: unknown): SpecificationNames | null {
  const specification = rpcSpecificationDocument.safeParse(document);
  const enums = enumNames.safeParse(document);
  if (!specification.success || !enums.success) return null;
  return {
    enumerations: enums.data.enums.map(({ name }) => name),
    functions: specification.data.functions.map(({ name, messageType, params }) => {
      return { name, messageType, params: params.map((param) => ({ name: param.name })) };
    }),
    natives: new Set(nativeVehicleData(specification.data).map(({ name }) => name)),
  };
}

/** Loads what decides which parameters are usable: only names, not the whole specification. */
export async function loadParameterSources(session?: ClientSession): Promise<ParameterSources> {
  return {
    rpcSpec: await findSpecificationNames(session),
    vehicleData: {
      staging: await listCustomRoots("staging", session),
      production: await listCustomRoots("production", session),
    },
  };
}

async function listCustomRoots(environment: Environment, session?: ClientSession) {
  const roots = await findStates("vehicle_data", environment, { session });
  return roots.map(({ key, isDeleted }) => ({ name: key, isDeleted }));
}
